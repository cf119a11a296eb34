"""Runs in several languages: what must be alike, and what is noted."""

from dataclasses import replace
from pathlib import Path

import pytest

from leakage_runs import write_run
from tiltmeter.analysis.leakage.leak_runs import check_alike, read_language_runs, run_notes
from tiltmeter.core.errors import BadInput


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    return read_language_runs([write_run(folder / language, language) for language in ("en", "ru")])


def changed(run, **card):
    return replace(run, result=replace(run.result, card=replace(run.card, **card)))


def test_runs_know_their_language_and_dimensions(runs):
    assert [run.language for run in runs] == ["en", "ru"]
    dimensions = runs[1].dimensions()
    assert dimensions["cold - warm"] == "communion" and len(dimensions) == 16
    with pytest.raises(BadInput, match="its language is en, as that of"):
        read_language_runs([Path(runs[0].path)] * 2)
    (in_memory,) = read_language_runs([runs[0].result])
    assert (in_memory.language, in_memory.result) == ("en", runs[0].result)


def test_runs_must_be_alike(runs):
    check_alike(runs)
    for what, card in {
        "models": {"model": {"name": "other"}},
        "studies": {"study": "other"},
        "rules": {"rule": "other"},
        "conventions": {"convention": "other"},
    }.items():
        with pytest.raises(BadInput, match=f"these are runs of different {what}: .*, other; give"):
            check_alike([runs[0], changed(runs[1], **card)])


def test_other_settings_are_noted(runs):
    """Templates are words of a language; a margin is not."""
    assert run_notes(runs) == []
    other = changed(runs[1], settings={**runs[1].card.settings, "margin": "2"})
    assert run_notes([runs[0], other]) == ["The runs differ in the setting margin (en: 1, ru: 2)."]
    (note,) = run_notes(runs, "cao2023_code")
    assert note.startswith("The runs were made under the convention paper.")
