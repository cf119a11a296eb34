"""An export is stored again whole, so that exporting it anew writes the same files; or it is refused."""

import csv
import io
from functools import partial

import pytest

from support.survey import forms
from support.survey.databases import new_store
from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.survey.answers import NewEvent, save_events
from tiltmeter.survey.collected import collect
from tiltmeter.survey.form_file import form_of
from tiltmeter.survey.formats import own_export, tables
from tiltmeter.survey.formats.answer_files import export_files
from tiltmeter.survey.formats.own_export import import_export, is_own_export
from tiltmeter.survey.keys import DAY, new_key
from tiltmeter.survey.leaving import finish
from tiltmeter.survey.marking import mark_study
from tiltmeter.survey.persons import consent, give_demographics, respondent
from tiltmeter.survey.schema import Person

STAGES = {
    "name_item": "a",
    "student": "yes",
    "year": "1",
    "reason": "=1+1; “so”\nand",
    "valid": "no",
}
START = 20_000 * DAY

SLIDERS = """
[order]
rows = "random"
poles = "by slider"
[repeat]
items = 1
[demographics]
linked = true
consent = "Link?"
[[demographics.questions]]
name = "age"
kind = "choice"
text = "Age?"
options = ["young", "old"]
"""


def sliders():
    """A form with rows and poles in random order, repeats and linked demographics."""
    return (forms.a_form(3, rest=SLIDERS), lambda i, n: float(10 * n + i), {})


def stages():
    """A form with pages before the work, training, conditions, texts and unlinked demographics."""
    return form_of(forms.STAGES), lambda *_: "no", STAGES


def collected_of(store, number):
    store.save(partial(mark_study, study=number))
    return store.read(partial(collect, study=number, bots=True))


@pytest.fixture(params=[sliders, stages], ids=lambda made: made.__name__)
def study(request, store):
    form, value, others = request.param()
    number = forms.a_study(store, form)
    for n in range(6):
        person = forms.someone(
            store, number, f"raw{n}", language="de" if n % 2 else "en", stratum="s" * (n % 2)
        )
        if n == 5:  # never answers anything
            store.save(lambda s, p=person: setattr(s.get_one(Person, p), "outcome", "declined"))
            continue
        if form.demographics.linked:
            store.save(
                partial(consent, person=person, linked=True, language="de" if n % 2 else "en")
            )
        counter = iter(range(1000))
        forms.fill_in(
            store, form, person, lambda *_, n=n, c=counter: value(next(c), n), others=others,
            start=START + n * 1_000_000, seconds=20.123,
        )  # fmt: skip
        away = [NewEvent(new_key(), "rate.1", kind, START + at) for kind, at in (
            ("shown", 1), ("hidden", 5), ("visible", 4_005), ("submitted", 6_000))]  # fmt: skip
        store.save(
            lambda s, p=person, e=away: save_events(s, [(respondent(s, p), each) for each in e])
        )
        store.save(partial(finish, person=person, form=form))
        if form.demographics.linked:
            forms.answer(store, form, person, None, "age", "young", page="demographics")
        else:
            store.save(partial(give_demographics, person=person, form=form, answers={"age": "old"}))
    return collected_of(store, number)


def written(folder, files):
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def again(tmp_path, folder, **named):
    """What an import of the folder stored, and the study as it is collected then."""
    with new_store(tmp_path / "again.db") as store:
        done = store.save(partial(import_export, folder=folder, **named))
        return (
            done,
            collected_of(store, 1),
            store.save(partial(import_export, folder=folder, **named)),
        )


def in_any_order(text):
    """The rows of a file: marks are listed in the order in which checks find them."""
    return sorted(map(tuple, csv.reader(io.StringIO(text))))


@pytest.mark.parametrize("exact", [False, True])
def test_export_import_export_is_the_same(tmp_path, study, exact):
    files = export_files(study, "csv", exact_times=exact)
    done, back, twice = again(tmp_path, written(tmp_path / "export", files))
    assert (done.study, done.people, done.answers) == (study.name, 6, len(study.responses))
    assert done.is_new and done.notes == () and not twice.is_new
    made = export_files(back, "csv", exact_times=exact)
    assert made.keys() == files.keys()
    for name, text in files.items():
        assert in_any_order(made[name]) == in_any_order(text), name
        if name not in {"marks.csv", "datasheet.md", "data-statement.md", "pages.csv"}:
            assert made[name] == text, name


def test_every_column_of_every_table_is_kept(study):
    for name, text in export_files(study, "csv").items():
        if name in own_export.KEPT:
            columns = next(csv.reader(io.StringIO(text)))
            assert {*columns} <= {*own_export.KEPT[name]}, name
    assert {*tables.ANSWERS} == {*own_export.KEPT["answers.csv"]}
    known = {"form.toml", "items.csv", "demographics.csv", *own_export.KEPT, *own_export.DERIVED}
    assert {*export_files(study, "csv")} <= known


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("answers.csv", ",stratum,", ",strata,", "column 'strata' that this version cannot keep"),
        ("participants.csv", "declined", "vanished", "outcome is 'vanished'"),
        ("answers.csv", "rate", "rote", "there is no question"),
        (
            "answers.csv",
            ",cold - warm,slider,",
            ",cold - warm,slider,-",
            "is not between 0 and 100",
        ),
        ("pages.csv", "20.123", "nan", "is not the time of a person"),
        ("answers.csv", ",g0,", ",gx,", "there is no item 'gx'"),
        ("answers.csv", ",key", ",keys", "no column named key"),
        ("participants.csv", "person,", "person,person,", "occurs 2 times"),
    ],
)
@pytest.mark.parametrize("study", [sliders], indirect=True)
def test_what_cannot_be_kept_is_refused_by_name(tmp_path, study, file, old, new, says):
    files = export_files(study, "csv")
    assert old in files[file]
    folder = written(tmp_path / "export", {**files, file: files[file].replace(old, new)})
    with pytest.raises((BadInput, BadItems), match=says):
        again(tmp_path, folder)


@pytest.mark.parametrize("study", [stages], indirect=True)
def test_other_people_under_the_name_and_the_same_people_elsewhere(tmp_path, study, store):
    folder = written(tmp_path / "export", export_files(study, "csv"))
    with pytest.raises(
        BadInput, match="the study 'plan' of this database has some of these people"
    ):
        store.save(partial(import_export, folder=folder, name="copy"))
    with new_store(tmp_path / "other.db") as other:
        number = forms.a_study(other, form_of(forms.STAGES))
        forms.someone(other, number)
        with pytest.raises(BadInput, match="a study 'plan' with other people"):
            other.save(partial(import_export, folder=folder))
        assert other.save(partial(import_export, folder=folder, name="copy")).is_new


@pytest.mark.parametrize("study", [stages], indirect=True)
def test_marks_that_differ_and_other_files_are_named(tmp_path, study):
    files = export_files(study, "csv")
    files["marks.csv"] = files["marks.csv"].replace("name_item", "name_items", 1)
    folder = written(tmp_path / "export", {**files, "notes.txt": "x"})
    done, *_ = again(tmp_path, folder)
    assert done.notes == (
        "1 result of checks differs from those in marks.csv; the new ones count.",
        "Not read: notes.txt.",
    )


@pytest.mark.parametrize("study", [stages], indirect=True)
def test_exports_for_other_programs_are_refused(tmp_path, study):
    folder = written(tmp_path / "export", export_files(study, "potato"))
    assert is_own_export(folder) and not is_own_export(tmp_path)
    with pytest.raises(BadInput, match=r"has no participants\.csv"):
        again(tmp_path, folder)
