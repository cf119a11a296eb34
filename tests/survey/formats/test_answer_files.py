"""Exports of answers name nobody by an id of a platform, and say days in place of times."""

import csv
import io
import json
from functools import partial

import pytest

from support.survey import forms
from tiltmeter.survey.collected import collect
from tiltmeter.survey.formats.answer_files import FORMATS, export_files, zipped
from tiltmeter.survey.keys import DAY
from tiltmeter.survey.leaving import finish

RAW = "5f1a9c0e7d3b"
TIME = 20_000 * DAY + 12_345_678


@pytest.fixture
def study(store):
    """Three people with ids of a platform, whose answers came in turn."""
    form = forms.a_form(2, rest='[outcomes.finished]\ncode = "C0DE77"\n')
    number = forms.a_study(store, form)
    people = [forms.someone(store, number, f"{RAW}{n}") for n in range(3)]
    for person in people:
        forms.fill_in(store, form, person, start=TIME)
        store.save(partial(finish, person=person, form=form))
    return store.read(partial(collect, study=number))


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("exact", [False, True])
def test_no_file_holds_an_id_of_the_platform_or_a_code(study, kind, exact):
    files = export_files(study, kind, exact_times=exact)
    form = files.pop("form.toml")
    assert "C0DE77" in form  # it is the researcher's, and everybody's
    everything = "".join(files.values()) + str(zipped(files, "x"))
    assert RAW not in everything and "C0DE77" not in everything


@pytest.mark.parametrize("kind", FORMATS)
def test_times_are_days_unless_asked(study, kind):
    texts = "".join(export_files(study, kind).values())
    exact = "".join(export_files(study, kind, exact_times=True).values())
    times = {response.client_time for response in study.responses}
    iso = {f"{minute:02d}:{second:02d}." for minute in (25, 26) for second in range(60)}
    shown = {str(time) for time in times} | ({*iso} if kind == "label-studio" else set())
    assert not any(time in texts for time in shown)
    assert any(time in exact for time in shown)


def test_keys_hold_no_time_and_rows_no_order_of_arrival(study):
    table = export_files(study, "csv")["answers.csv"]
    rows = [*csv.DictReader(io.StringIO(table))]
    assert {row["client_time"] for row in rows} == {str(20_000 * DAY)}
    made = {int(row["key"].replace("-", "")[:12], 16) for row in rows}
    assert all(time % DAY == 0 for time in made)
    assert len({row["key"] for row in rows}) == len(rows) == len(study.responses)
    people = [row["person"] for row in rows]
    assert people == sorted(people)


def test_seconds_on_pages_stay(study):
    rows = [*csv.DictReader(io.StringIO(export_files(study, "csv")["answers.csv"]))]
    assert {row["seconds"] for row in rows} == {"20"}
    tasks = json.loads(export_files(study, "label-studio")["tasks.json"])
    assert {a["lead_time"] for task in tasks for a in task["annotations"]} == {20.0}
