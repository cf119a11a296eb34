"""Answers go to Label Studio and to Potato and come back as they were."""

import json
import xml.etree.ElementTree as ET
from functools import partial

import pytest

from support.survey import forms
from support.survey.databases import new_store
from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.survey.assign import lease_items
from tiltmeter.survey.collected import collect
from tiltmeter.survey.form_file import built_in, read_form
from tiltmeter.survey.formats import label_studio, potato
from tiltmeter.survey.formats.item_answers import item_answers
from tiltmeter.survey.question import AnswerOption
from tiltmeter.survey.questions.choice import ChoiceQuestion

SAID = {"slider": 33.5, "text": "a “quoted”\ttext", "pair": {"first": "A", "second": "B"},
        "triple": dict.fromkeys(("context", "stereotype", "anti_stereotype", "unrelated"), "=1")}  # fmt: skip


@pytest.fixture(params=["group_traits", "inference7", "write_pairs", "write_triples", "label_text"])
def study(request, tmp_path):
    """One person's answers to a built-in form."""
    form = forms.without_country(request.param)
    with new_store(tmp_path / "survey.db") as store:
        number = forms.a_study(store, form)
        person = forms.someone(store, number)
        given = store.save(partial(lease_items, person=person, form=form))
        tests = {"name_item": given[0].item.key, "high_trait": "x", "low_trait": "x"}
        forms.fill_in(
            store, form, person, lambda _, q: SAID.get(q.kind) or q.options[0].value, others=tests
        )
        yield store.read(partial(collect, study=number))


def by_place(found):
    return {(one.annotator, one.item, one.round, one.question): one for one in found}


@pytest.mark.parametrize("program", ["label-studio", "potato"])
def test_a_round_trip_changes_nothing(tmp_path, study, program):
    path = tmp_path / "export.json"
    if program == "potato":
        path.write_text(potato.annotations(study), "utf-8")
        back = potato.read_annotations(path, study.form)
    else:
        path.write_text(label_studio.tasks(study), "utf-8")
        back = label_studio.read_tasks(path, study.form)
    assert by_place(back) == by_place(item_answers(study)) and back


def test_annotations_have_who_and_how_long(study):
    done = [a for task in json.loads(label_studio.tasks(study)) for a in task["annotations"]]
    assert {r["meta"]["person"] for a in done for r in a["result"]} == {study.people[0].id}
    assert not any("completed_by" in a for a in done)  # Label Studio refuses who has no account
    assert {a["lead_time"] for a in done} == {20.0}


@pytest.mark.parametrize("name", built_in())
def test_the_set_up_names_every_question(name):
    form = read_form(name)
    tree = ET.fromstring(label_studio.set_up(form))
    every = [tag.get("name") for tag in tree if tag.get("name")]
    assert len(set(every)) == len(every)  # or Label Studio refuses the set-up
    names = {tag.get("name", "").split(".")[0] for tag in tree if tag.get("toName")}
    assert {tag.get("toName") for tag in tree if tag.get("toName")} <= set(every)
    assert names == {question.name for page in form.part("item") for question in page.questions}
    rows = [json.loads(line) for line in potato.instances(form).splitlines()]
    assert all(row["id"] and row["text"] for row in rows)


def test_exports_of_these_programs_are_read_as_they_write_them(tmp_path):
    form = read_form("label_text")
    path = tmp_path / "theirs.json"
    task = {
        "id": 1, "data": {"text": "x"},
        "annotations": [
            {"id": 5, "completed_by": {"id": 3, "email": "a@b.c"}, "lead_time": 4.288,
             "created_at": "2021-03-09T22:16:08.728353Z", "was_cancelled": False,
             "result": [{"from_name": "label", "to_name": "text", "type": "choices",
                         "value": {"choices": ["neither"]}}]},
            {"completed_by": 4, "was_cancelled": True, "result": []},
        ],
    }  # fmt: skip
    path.write_text(json.dumps([task]))
    (one,) = label_studio.read_tasks(path, form)
    assert (one.annotator, one.item, one.value, one.seconds) == ("a@b.c", "1", "neither", 4.288)
    path.write_text(
        '{"user_id": "u", "instance_id": "1", "label_annotations": {"label": {"hateful": "1"}}}'
    )
    (one,) = potato.read_annotations(path, form)
    assert (one.annotator, one.item, one.value) == ("u", "1", "hateful")


@pytest.mark.parametrize("read", [label_studio.read_tasks, potato.read_annotations])
@pytest.mark.parametrize(
    "text", ["", "{}", "[1]", "nothing", '[{"id": 1}]', '{"id": 1, "label_annotations": {"x": {}}}',
             '[{"id": 1, "data": {}, "annotations": [{"result": [{"from_name": "label", "value": {}}]}]}]'],
)  # fmt: skip
def test_what_is_something_else_is_refused(tmp_path, read, text):
    path = tmp_path / "wrong.json"
    path.write_text(text)
    with pytest.raises((BadInput, BadItems), match=r"wrong\.json"):
        read(path, read_form("label_text"))


@pytest.mark.parametrize("several", [False, True])
def test_options_are_named_by_value_or_by_text(several):
    options = AnswerOption("1", {"en": "rarely"}), AnswerOption("2", {"en": "often", "de": "oft"})
    question = ChoiceQuestion("often", options=options, several=several, opt_out={"en": "I pass"})
    for label in ("2", "often", "oft"):
        chosen = ["2"] if several else "2"
        assert question.checked(question.from_label_studio([label])) == chosen
        assert question.checked(question.from_potato({label: "true"})) == chosen
    lines = [*question.label_studio_controls('"text"', lambda words: words["en"])]
    assert '    <Choice value="I pass" alias="OPTED_OUT"/>' in lines
