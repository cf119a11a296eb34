"""Sizes of studies are those of their data."""

import pytest

from goldens.of_sizes import size_of
from support import published
from tiltmeter.core.finder import find, known, ours
from tiltmeter.data.study_sizes import brief_count, brief_time, study_sizes

SIZES = study_sizes()


def test_every_study_with_data_of_its_own_has_a_size():
    without = {name for name in ours("studies") if find("studies", name, "STUDY").run_needs}
    assert {*SIZES} == {*ours("studies")} - without
    assert {*SIZES} <= {*known("studies")}


@pytest.mark.parametrize("name", [name for name, size in SIZES.items() if not size.data])
def test_items_that_are_part_of_the_package_are_counted(name):
    assert len(find("studies", name, "STUDY").load().items) == SIZES[name].items


@pytest.mark.parametrize("name", ["sensible_pairs", "word_association"])
def test_a_line_is_what_is_counted(name):
    assert size_of(name) == SIZES[name]


@pytest.mark.skipif(not published.FOLDER.is_dir(), reason="needs the published data")
def test_a_line_of_published_data_is_what_is_counted(monkeypatch):
    monkeypatch.setenv("TILTMETER_DATA", str(published.FOLDER))
    assert size_of("crows_pairs") == SIZES["crows_pairs"]


@pytest.mark.parametrize("seconds", [0, 59, 60, 3599, 3600, 35_999, 36_000, 3_000_000])
def test_columns_hold_every_time_and_count(seconds):
    assert len(brief_time(seconds)) <= 6
    assert len(brief_count(seconds)) <= 7


def test_a_longer_run_is_never_said_to_take_less():
    def minutes(text):
        number, unit = text.removeprefix("<").split()
        return float(number) * {"min": 1, "h": 60}[unit]

    said = [minutes(brief_time(seconds)) for seconds in range(60, 50_000, 37)]
    assert said == sorted(said)
