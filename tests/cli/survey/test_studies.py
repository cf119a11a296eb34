"""tiltmeter survey: from a form to a table that compare-people reads, and what can go wrong."""

import json
from functools import partial

import pytest

from support.survey import forms
from tiltmeter.survey.leaving import finish
from tiltmeter.survey.store import SurveyStore

RAW = "5f1a9c0e"
REST = "[pay]\namount = 2.00\nhourly = 12.00\n[repeat]\nitems = 1\n"


@pytest.fixture
def survey(tmp_path):
    """A database survey.db in the current folder, in which two people have finished."""
    form = forms.a_form(3, rest=REST)
    with SurveyStore(tmp_path / "survey.db") as store:
        study = forms.a_study(store, form)
        for number, seconds in enumerate((120, 240)):
            person = forms.someone(store, study, f"{RAW}{number}")
            shift = 9 * number
            forms.fill_in(
                store, form, person, lambda _, q, s=shift: float(len(q.name) * 3 + s),
                seconds=seconds,
            )  # fmt: skip
            store.save(partial(finish, person=person, form=form))
    return form


def test_built_in_forms_are_listed_and_can_be_copied(tilt, tmp_path):
    code, out, _ = tilt("survey", "check")
    assert code == 0 and "group_traits: How does society see these groups? (en, ru, zh, hi)" in out
    _, shown, _ = tilt("survey", "check", "label_text", "--show")
    (tmp_path / "mine.toml").write_text(shown, "utf-8")
    code, out, _ = tilt("survey", "check", "mine.toml")
    assert code == 0 and "page label (item): 1 choice" in out
    assert "No text is missing.\n" in out


def test_a_form_with_items_of_ones_own(tilt, tmp_path):
    (tmp_path / "items.csv").write_text("id,text\na,one\nb,two\nc,three\n")
    _, out, _ = tilt("survey", "check", "label_text", "--items", "items.csv", "--json")
    assert json.loads(out)["items"] == 4  # one is for training


def test_what_is_wrong_with_a_form_is_said_with_the_way_out(tilt, tmp_path):
    (tmp_path / "bad.toml").write_text(forms.FORM.format(top="", sampling="eech = 1", rest=""))
    code, _, err = tilt("survey", "check", "bad.toml")
    assert code == 2
    assert "bad.toml: sampling has an unknown key 'eech'; did you mean 'each'?" in err


QUOTAS = """each = 2
stratum = "gender"
quotas = { woman = 2, man = 1 }
[sampling.people]
gender = { woman = 4, man = 3 }
"""
ASKED = """
[[pages]]
name = "about"
part = "start"
[[pages.questions]]
name = "gender"
kind = "choice"
text = "Gender?"
options = ["woman", "man"]
"""


def test_quotas_are_shown_and_where_they_do_not_add_up(tilt, tmp_path):
    """Each of four items is judged by two women and one man, two items a person: four women and two men."""
    (tmp_path / "quotas.toml").write_text(forms.a_form(sampling=QUOTAS, rest=ASKED).text)
    _, out, _ = tilt("survey", "check", "quotas.toml")
    assert "  people per item by gender: woman 2, man 1\n" in out
    assert "people per item: no limit" not in out and "woman: 4 people" not in out
    mismatch = "gender, man: 3 people in all, but a quota of 1 per item needs 2"
    assert f"does not add up: {mismatch}" in " ".join(out.split())
    _, out, _ = tilt("survey", "check", "quotas.toml", "--json")
    assert len(json.loads(out)["quota_mismatches"]) == 1
    with SurveyStore(tmp_path / "quotas.db") as store:
        forms.a_study(store, forms.a_form(sampling=QUOTAS, rest=ASKED))
    _, out, _ = tilt("survey", "status", "--database", "quotas.db")
    assert "  items: 4, 4 with an open quota\n" in out


def test_a_form_with_texts_to_be_written_is_not_complete(tilt):
    assert tilt("survey", "new", "mine.toml")[0] == 0
    _, out, _ = tilt("survey", "check", "mine.toml")
    assert "Still to be written (TODO)" in out and "The form is complete." not in out


@pytest.mark.usefixtures("survey")
def test_from_answers_to_compare_people(tilt, tmp_path):
    code, out, err = tilt("survey", "status")
    assert code == 0, err
    assert "people: 2 finished" in out and "answers: 24" in out
    code, _, err = tilt("survey", "export", "--out", "out")
    assert code == 0, err
    names = {file.name for file in (tmp_path / "out").iterdir()}
    assert names == {
        "form.toml", "items.csv", "participants.csv", "consents.csv", "ratings.csv", "repeated-ratings.csv",
        "answers.csv", "marks.csv", "pages.csv", "study.csv", "data-statement.md", "datasheet.md",
    }  # fmt: skip
    assert not any(RAW in file.read_text("utf-8") for file in (tmp_path / "out").iterdir())
    assert tilt("survey", "export", "--out", "out")[0] == 0  # once more, over the old files
    matrix = "group,pair,value\n" + "".join(
        f"g{g},{pair},{g + p}\n"
        for g in range(3)
        for p, pair in enumerate(("cold - warm", "poor - wealthy", "weak - strong"))
    )
    (tmp_path / "matrix.csv").write_text(matrix)
    for people in ("out/ratings.csv", "out"):
        code, out, err = tilt("analyse", "compare-people", "matrix.csv", "--people", people, "--json",
                              "--pilot", "none", "--by", "mark_speed")  # fmt: skip
        assert code == 0, err
        assert any(e["groups"].get("mark_speed") == "0" for e in json.loads(out)["estimates"])


@pytest.mark.parametrize(
    ("kind", "file"),
    [
        ("csv", "answers.csv"),
        ("label-studio", "tasks.json"),
        ("potato", "annotated_instances.jsonl"),
    ],
)
def test_an_export_can_be_imported_again(tilt, tmp_path, survey, kind, file):
    (tmp_path / "form.toml").write_text(survey.text)
    assert tilt("survey", "export", "--format", kind, "--out", "out")[0] == 0
    for _ in range(2):
        code, out, err = tilt("survey", "import", f"out/{file}", "--form", "form.toml",
                              "--format", kind, "--database", "other.db")  # fmt: skip
        assert (code, out) == (0, "24 answers of 2 people are stored in other.db\n"), err
        assert "Checks, demographics, languages and groups of people are not imported." in err
        assert "All of it is in out: tiltmeter survey import out" in err
    _, out, _ = tilt("survey", "status", "--database", "other.db", "--json")
    assert json.loads(out)["answers"] == 24


@pytest.mark.usefixtures("survey")
def test_the_folder_of_an_export_is_imported_whole(tilt, tmp_path):
    assert tilt("survey", "export", "--out", "out")[0] == 0
    code, out, err = tilt("survey", "import", "out", "--database", "other.db")
    assert (code, out, err) == (0, "24 answers of 2 people are stored in other.db\n", "")
    assert tilt("survey", "export", "--database", "other.db", "--out", "again")[0] == 0
    for file in (tmp_path / "out").iterdir():
        again = (tmp_path / "again" / file.name).read_text("utf-8")
        assert sorted(again.splitlines()) == sorted(file.read_text("utf-8").splitlines()), file.name
    code, out, _ = tilt("survey", "import", "out", "--database", "other.db")
    assert code == 0 and "has these people already: nothing was stored" in out
    code, _, err = tilt("survey", "import", "out", "--form", "group_traits", "--database", "x.db")
    assert code == 2 and "leave out --form, --items and --format" in err
    code, _, err = tilt("survey", "import", "out/answers.csv", "--database", "x.db")
    assert code == 2 and "give it with --form" in err


def test_rows_that_an_import_does_not_store_are_named(tilt, tmp_path, survey):
    (tmp_path / "form.toml").write_text(survey.text)
    assert tilt("survey", "export", "--out", "out")[0] == 0
    path = tmp_path / "out" / "answers.csv"
    head, first, *rest = path.read_text("utf-8").splitlines()
    names, cells = head.split(","), first.split(",")
    cells[names.index("item")], cells[names.index("question")] = "", "age"
    path.write_text(
        "\n".join([head, ",".join(cells), ",".join(cells), first, *rest]) + "\n", "utf-8"
    )
    (tmp_path / "form.toml").write_text(survey.text)
    said = " ".join(
        tilt("survey", "import", path, "--form", "form.toml", "--database", "o.db")[2].split()
    )
    assert "Not stored: 2 rows that are no answers about items (age 2)." in said


@pytest.mark.usefixtures("survey")
def test_a_file_takes_no_export(tilt):
    code, _, err = tilt("survey", "export", "--out", "survey.db")
    assert code == 2 and "survey.db: this is a file, not a folder; name another --out" in err


def test_a_database_that_does_not_exist_is_not_made(tilt, tmp_path):
    code, _, err = tilt("survey", "status")
    assert code == 2 and "survey.db: no survey database of this name" in err
    assert not (tmp_path / "survey.db").exists()


@pytest.mark.usefixtures("survey")
def test_the_export_of_another_study_is_replaced_only_on_demand(tilt, tmp_path):
    for _ in range(2):
        code, _, err = tilt("survey", "export")
        assert code == 0, err
    with SurveyStore(tmp_path / "other.db") as store:
        forms.a_study(store, forms.a_form(4))
    other = ("survey", "export", "--database", "other.db")
    code, _, err = tilt(*other)
    assert code == 2 and "export: this folder holds the export of another study" in err
    assert "name another --out, or replace it with --overwrite" in " ".join(err.split())
    assert tilt(*other, "--overwrite")[0] == 0
    assert tilt("survey", "export")[0] == 2


def test_an_export_leaves_no_table_of_an_earlier_one(tilt, tmp_path):
    bots = ("survey", "bots", "label_text", "--count", "2", "--database", "bots.db")
    assert tilt(*bots)[0] == 0
    export = ("survey", "export", "--database", "bots.db")
    assert tilt(*export, "--bots")[0] == 0
    assert (tmp_path / "export" / "answers.csv").is_file()
    (tmp_path / "export" / "notes.csv").write_text("mine")
    code, _, err = tilt(*export)  # nobody but bots has answered
    assert code == 0 and "Removed export/answers.csv of an earlier export" in " ".join(err.split())
    left = {path.name for path in (tmp_path / "export").iterdir()}
    assert not left & {"answers.csv", "participants.csv", "pages.csv", "marks.csv"}
    assert "notes.csv" in left
