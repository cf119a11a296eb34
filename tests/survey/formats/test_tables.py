"""Exports are what `data.people.ratings` reads, and no spreadsheet runs anything in them."""

import csv
import io
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import published
from support.survey import forms
from support.survey.databases import new_store
from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.data.people.ratings import read_ratings
from tiltmeter.survey.collected import Collected, collect
from tiltmeter.survey.form_file import form_of, read_form, with_items
from tiltmeter.survey.formats.answer_files import read_item_answers
from tiltmeter.survey.formats.cells import (
    FORMULA,
    as_csv,
    cell_text,
    cell_value,
    guarded,
    plain,
)  # fmt: skip
from tiltmeter.survey.formats.item_answers import import_item_answers, item_answers, read_answers
from tiltmeter.survey.formats.tables import files
from tiltmeter.survey.marking import mark_study
from tiltmeter.survey.studies import open_study


@pytest.fixture
def study(tmp_path):
    """A study with repeats, with its answers, in a database of its own."""
    form = forms.a_form(3, rest="[repeat]\nitems = 1\n")
    with new_store(tmp_path / "survey.db") as store:
        number = forms.a_study(store, form)
        for start in (10, 40):
            person = forms.someone(store, number, f"={start}")
            values = iter(range(start, 100))
            forms.fill_in(store, form, person, lambda *_, v=values: float(next(v)))
        store.save(partial(mark_study, study=number))
        yield store.read(partial(collect, study=number))


def written(tmp_path, text, name="file.csv"):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return path


def test_ratings_are_read_as_ratings_with_their_marks(tmp_path, study):
    found = files(study)
    ratings = read_ratings(written(tmp_path, found["ratings.csv"]))
    assert ratings.values.shape == (2, 3, 3)
    assert np.nanmin(ratings.values) == 10 and not np.isnan(ratings.values).any()
    assert "mark_straight_line" in {*ratings.about, *ratings.varying}
    assert ratings.about["stratum"] == ("", "")
    repeated = read_ratings(written(tmp_path, found["repeated-ratings.csv"]))
    assert np.isfinite(repeated.values).sum() == 2 * 3


def test_answers_come_back_as_they_went(tmp_path, study):
    path = written(tmp_path, files(study)["answers.csv"])
    back = read_answers(path, study.form)
    assert sorted(map(repr, back)) == sorted(map(repr, item_answers(study)))


@pytest.mark.parametrize("row", ["1,nan,0", "inf,1,0", "1,1,1e999"])
def test_rounds_and_times_are_numbers(tmp_path, study, row):
    head = "person,item,question,value,round,seconds,client_time"
    path = written(tmp_path, f"{head}\np,an item,cold - warm,20,{row}\n")
    with pytest.raises(BadItems, match="which is not a number"):
        read_answers(path, study.form)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("p,i0,cold - warm,20,1.5", "round is '1.5', which is not a whole number"),
        ("p,i0,cold - worm,20,1", "Did you mean 'cold - warm'"),
        ("p,i0,cold - warm,20,0", "has no answers about items"),
    ],
)
def test_no_row_is_left_out_in_silence(tmp_path, study, row, says):
    path = written(tmp_path, f"person,item,question,value,round\n{row}\n")
    with pytest.raises((BadItems, BadInput), match=says):
        read_answers(path, study.form)


def test_two_answers_at_once_are_refused_and_the_same_one_counts_once(tmp_path, study):
    item = next(item.key for item in study.form.items if item.kind == "real")
    row = f"p,{item},cold - warm,20\n"
    head = "person,item,question,value\n"
    once = read_answers(written(tmp_path, head + row + row), study.form)
    both = read_answers(written(tmp_path, head + row + row.replace("20", "30")), study.form)
    with new_store(tmp_path / "import.db") as store:
        number = forms.a_study(store, study.form)
        kept = partial(import_item_answers, study=number, form=study.form, platform="csv")
        assert store.save(partial(kept, answers=once)).answers == 1
        with pytest.raises(BadInput, match=r"p answers 'cold - warm' about .* in two ways at once"):
            store.save(partial(kept, answers=both))


def test_an_import_stores_the_same_answers_once(tmp_path, study):
    form = study.form
    back = read_item_answers(written(tmp_path, files(study)["answers.csv"]), form, "csv")
    with new_store(tmp_path / "other.db") as store:
        number = store.save(partial(open_study, form=form))
        put = partial(import_item_answers, study=number, form=form, answers=back, platform="csv")
        first = store.save(put)
        assert store.save(put) == first and (first.people, first.answers) == (2, 24)
        again = store.read(partial(collect, study=number))
    assert len(again.responses) == 24 and len(again.pages) == 8

    def means(found):
        path = written(tmp_path, files(found)["ratings.csv"], "ratings.csv")
        return sorted(read_ratings(path).values.mean(axis=0).flat)

    assert means(again) == means(study)


def test_published_ratings_go_through_a_study_unchanged(tmp_path):
    """Section 4 of Cao et al. 2022: 133 people, 522 pages, 8,337 ratings."""
    path = published.need("us_stereotypes/data_full.json")
    form = read_form("group_traits")
    with new_store(tmp_path / "survey.db") as store:
        number = store.save(partial(open_study, form=form))
        found = read_item_answers(path, form, "csv")
        store.save(
            partial(import_item_answers, study=number, form=form, answers=found, platform="x")
        )
        store.save(partial(mark_study, study=number))
        collected = store.read(partial(collect, study=number))
    flat = [m for own in collected.marks.values() for m in own if m.check == "straight_line"]
    assert (len(flat), sum(one.flagged for one in flat)) == (522, 10)
    there = read_ratings(written(tmp_path, files(collected)["ratings.csv"]))
    here = read_ratings(path)
    there = there.part(here.groups, here.pairs)
    assert np.isfinite(there.values).sum() == 8337
    np.testing.assert_allclose(
        np.nanmean(there.values, axis=0), np.nanmean(here.values, axis=0), atol=1e-9
    )


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))


@given(st.one_of(TEXTS, st.builds("{}{}".format, st.sampled_from([*FORMULA, "'=", "''"]), TEXTS)))
def test_no_cell_is_a_formula_and_every_text_comes_back(text):
    assert not guarded(text).startswith(FORMULA)
    assert plain(guarded(text)) == text
    (row,) = csv.reader(io.StringIO(as_csv(["x"], [{"x": text}]).split("\n", 1)[1], newline=""))
    assert plain(row[0] if row else "") == text


@given(TEXTS)
def test_every_answer_comes_back_from_its_text(text):
    assert cell_value(cell_text(text)) == text
    assert cell_value(cell_text([text, "x"])) == [text, "x"]


def test_demographics_are_exported_without_people():
    form = read_form("group_traits")
    found = files(Collected("x", form, (), (), demographics=({"age": "60+"},)))
    assert found["demographics.csv"] == "gender,age,education,native_language,area\n,60+,,,\n"


def test_the_country_is_a_column_of_its_own_beside_the_language(tmp_path):
    """Two people who live in India, one of whom reads English, and one in the United States."""
    form = read_form("group_traits")
    with new_store(tmp_path / "survey.db") as store:
        number = store.save(partial(open_study, form=form))
        for language, country in (("en", "IN"), ("hi", "IN"), ("en", "US")):
            person = forms.someone(store, number, language=language)
            said = {"choice": country, "slider": 50.0, "text": "men"}
            for _ in range(2):  # items are given out once the country is known
                forms.fill_in(store, form, person, lambda _, q, said=said: said[q.kind])
        found = files(store.read(partial(collect, study=number)))
    ratings = [*csv.DictReader(io.StringIO(found["ratings.csv"]))]
    columns = ("language", "country", "stratum")
    assert {tuple(row[name] for name in columns) for row in ratings} == {
        ("en", "IN", "IN"), ("hi", "IN", "IN"), ("en", "US", "US"),
    }  # fmt: skip
    by_country = read_ratings(written(tmp_path, found["ratings.csv"])).about["country"]
    assert sorted(by_country) == ["IN", "IN", "US"]


def test_a_text_in_fewer_languages_has_a_column_for_each_and_comes_back(tmp_path):
    text = """
name = "f"
title = { en = "t", ar = "ت" }
consent = { en = "c", ar = "ك" }
languages = ["en", "ar"]
[[pages]]
name = "p"
part = "item"
show = ["text"]
questions = [{ name = "q", kind = "text", text = { en = "?", ar = "؟" } }]
[[items]]
id = "one"
text = { en = "a" }
[[items]]
id = "two"
text = { ar = "ب", en = "b" }
"""
    form = form_of(text)
    found = files(Collected("x", form, (), ()))
    assert found["items.csv"].splitlines() == ["id,text_en,text_ar", "one,a,", "two,b,ب"]
    back = with_items(form, written(tmp_path, found["items.csv"]))
    assert [item.texts for item in back.items] == [item.texts for item in form.items]
