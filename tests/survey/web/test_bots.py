"""Bots answer every built-in form to its code, and what they answered can be exported."""

import itertools
import uuid
from functools import partial

import polars as pl
import pytest

from support.survey.forms import a_form, filled
from tiltmeter.core.errors import BadInput
from tiltmeter.survey.bot_persons import answers_of_bots, bots
from tiltmeter.survey.collected import collect
from tiltmeter.survey.form_file import built_in, read_form
from tiltmeter.survey.formats import tables
from tiltmeter.survey.marking import mark_study
from tiltmeter.survey.schema import StudyRow
from tiltmeter.survey.store import SurveyStore
from tiltmeter.survey.studies import open_study, study_status
from tiltmeter.survey.web.app import survey_app
from tiltmeter.survey.web.bots import HEADER, REALLY, FormPage, fill_in, random_answers, visits
from tiltmeter.survey.web.serving import served


@pytest.mark.parametrize("name", built_in())
def test_every_built_in_form_ends_with_a_code_and_is_exported(name, visit, store, tmp_path):
    survey = visit(filled(read_form(name), tmp_path))
    done = [fill_in(survey.browser(), "/", random_answers(seed)) for seed in range(3)]
    status = store.read(partial(study_status, study=survey.study))
    codes = [one.code for one in done if one.code]
    assert len({*codes}) == len(codes) == status.people["finished"] > 0
    store.save(lambda session: mark_study(session, survey.study))
    collected = store.read(lambda session: collect(session, survey.study))
    files = tables.files(collected)
    assert pl.read_csv(files["answers.csv"].encode()).height == status.answers > 0
    assert "skip_logic" not in files.get("marks.csv", "")


@pytest.mark.slow
def test_postgres_and_sqlite_export_the_same_for_the_same_answers(postgres, tmp_path, monkeypatch):
    exported = []
    for url in (str(tmp_path / "survey.db"), postgres):
        # Ids of people decide who gets which items.
        people = (uuid.UUID(int=number, version=4) for number in itertools.count(1))
        monkeypatch.setattr(uuid, "uuid4", partial(next, people))
        with SurveyStore(url) as store:
            study = store.save(partial(open_study, form=read_form("group_traits")))
            # Codes follow from a secret of the study.
            store.save(lambda s, study=study: setattr(s.get(StudyRow, study), "code", "equal"))
            with served(survey_app(store, study)) as address:
                assert all(visit.code for visit in visits(address, 2))
            store.save(lambda session, study=study: mark_study(session, study, bots=True))
            collected = store.read(partial(collect, study=study, bots=True))
        files = {name: without_times(file) for name, file in tables.files(collected).items()}
        files[
            "demographics.csv"
        ].sort()  # are in random order, so that nobody is found by their place
        exported.append(files)
    sqlite, postgresql = exported
    assert sqlite == postgresql
    assert len(sqlite["answers.csv"]) > 2 * 5 * 16


def without_times(file):
    """The rows of a table, without what depends on the time that answers took, and without random keys."""
    read = pl.read_csv(file.encode(), infer_schema=False)
    if "check" in read.columns:
        read = read.filter(pl.col("check") != "speed")
    if "marks" in read.columns:
        others = pl.col("marks").fill_null("").str.replace(r" ?\bspeed\b", "").str.strip_chars()
        read = read.with_columns(others)
    timed = [
        n
        for n in read.columns
        if "time" in n or "speed" in n or n in {"seconds", "hidden", "key", "opened"}
    ]
    return read.drop(timed).rows()


def test_bots_fill_in_a_survey_over_http(visit, store):
    survey = visit(a_form(sampling="each = 2\nvotes = 2"))
    with served(survey.app) as address:
        done = list(visits(address, 5))
    assert [bool(one.code) for one in done] == [True] * 4 + [False]  # 4 items, two people each
    status = store.read(partial(study_status, study=survey.study))
    assert (status.bots, status.answers, dict(status.people)) == (4, 0, {})
    assert store.read(partial(answers_of_bots, study=survey.study)) == 4 * 2 * 3


def test_a_study_of_people_lets_in_only_bots_that_are_sent_in_spite_of_that(visit, store):
    survey = visit(a_form(sampling="each = 2\nvotes = 1"))
    fill_in(survey.browser(), "/", random_answers(0))
    with served(survey.app) as address:
        with pytest.raises(BadInput, match="is a live study: people have begun it") as refused:
            list(visits(address, 1))
        assert "--really" in str(refused.value) and "survey bots FORM" in str(refused.value)
        assert store.read(partial(bots, study=survey.study)) == 0
        assert all(one.code for one in visits(address, 1, really=True))
        fill_in(survey.browser(), "/", random_answers(1))
    status = store.read(partial(study_status, study=survey.study))
    assert (status.bots, status.answers, dict(status.people)) == (1, 4 * 3, {"finished": 2})
    everybody = store.read(partial(collect, study=survey.study, bots=True))
    people = store.read(partial(collect, study=survey.study))
    assert (len(everybody.people), len(people.people), people.bots_left_out) == (3, 2, 1)
    assert len(everybody.responses) - len(people.responses) == 2 * 3


def test_a_named_database_or_another_machine_makes_a_study_live(visit):
    with (
        served(visit(kept=True).app) as address,
        pytest.raises(BadInput, match="database that was named"),
    ):
        list(visits(address, 1))
    with pytest.raises(BadInput, match="it is not on this machine"):
        list(visits("https://study.example/", 1))


@pytest.mark.parametrize("first", ["person", "bot"])
def test_a_bot_and_a_person_with_the_same_id_are_two(visit, store, first):
    survey, start = visit(), "/?PROLIFIC_PID=5f1"
    person, bot = survey.browser(), survey.browser()
    bot.headers[HEADER] = REALLY
    for browser in (person, bot) if first == "person" else (bot, person):
        assert fill_in(browser, start, random_answers(1)).outcome == "finished"
    people = store.read(partial(collect, study=survey.study)).people
    assert [who.outcome for who in people] == ["finished"]
    assert store.read(partial(bots, study=survey.study)) == 1


def test_more_bots_than_there_are_places_find_nothing_left(visit):
    """Five people a text: the others are not trained, and get no code."""
    with served(visit(read_form("label_text")).app) as address:
        codes = [bot.code for bot in visits(address, 7)]
    assert [bool(code) for code in codes] == [True] * 5 + [False] * 2


def test_a_page_is_read_with_what_is_hidden():
    page = FormPage(
        '<form action="/x"><input type="hidden" name="k" value="1"><fieldset hidden><p>a<br></p>'
        '<input type="radio" name="q0" value="a"></fieldset><input type="radio" name="q1"></form>'
    )
    assert page.action == "/x"
    assert [(one.name, one.shown) for one in page.fields] == [
        ("k", True), ("q0", False), ("q1", True)
    ]  # fmt: skip
