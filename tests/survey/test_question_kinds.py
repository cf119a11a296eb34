"""A kind of question is one file: a new one goes from a form to its pages, exports and back."""

from functools import partial
from types import ModuleType

import pytest
from fastapi.testclient import TestClient

from support.survey.forms import a_form
from tiltmeter.core import finder
from tiltmeter.core.errors import BadItems
from tiltmeter.survey.collected import collect
from tiltmeter.survey.formats.answer_files import export_files, read_item_answers
from tiltmeter.survey.formats.item_answers import item_answers
from tiltmeter.survey.question import KINDS, QUESTION
from tiltmeter.survey.studies import open_study
from tiltmeter.survey.web.app import survey_app
from tiltmeter.survey.web.bots import FormPage, fill_in, random_answers

YEARS = '''
"""A whole number of years."""

from dataclasses import dataclass
from xml.sax.saxutils import quoteattr

from tiltmeter.survey.question import Count, FormQuestion


@dataclass(frozen=True, slots=True)
class Years(FormQuestion):
    html = """<input type="number" name="q{{ question.number }}" min="0" max="{{ question.asked.most }}"
value="{{ question.value }}">"""
    explains_range = True

    kind: str = "years"
    most: Count = 120

    def posted(self, typed):
        return float(typed) if typed.isdigit() else typed or None

    def range_note(self, words):
        return f"at most {self.most}"

    def why_wrong(self, value):
        right = isinstance(value, int | float) and 0 <= value <= self.most
        return "" if right else f"{value} is no number of years up to {self.most}"

    def stored(self, value):
        return float(value)

    def from_cell(self, text):
        return float(text)

    def label_studio_controls(self, to, say):
        yield f"  <Number name={quoteattr(self.name)} toName={to}/>"

    def label_studio_results(self, value):
        yield self.name, "number", "number", value

    def potato_labels(self, value):
        return {"number": f"{value:g}"}

    def from_potato(self, labels):
        return float(labels["number"])


QUESTION = Years
'''
ASKED = """
[[pages.questions]]
name = "older"
kind = "years"
text = "How old are {{item}} on average?"
most = 99
""".replace("{{item}}", "{item}")


@pytest.fixture
def form(monkeypatch):
    monkeypatch.setattr(finder, "_ADDED", {})
    module = ModuleType("years")
    exec(compile(YEARS, "years.py", "exec"), module.__dict__)
    finder.add(KINDS, "years", module)
    return a_form(2, rest=ASKED)


@pytest.fixture
def study(store, form):
    return store.save(partial(open_study, form=form))


@pytest.fixture
def browser(store, study):
    return TestClient(survey_app(store, study), base_url="http://survey.test")


def test_a_new_kind_is_read_and_refused_like_the_others(form):
    (asked,) = (question for _, question in form.questions if question.name == "older")
    assert (asked.kind, asked.most, asked.text) == (
        "years", 99, {"en": "How old are {item} on average?"}
    )  # fmt: skip
    with pytest.raises(BadItems, match="is a years, which has no options"):
        a_form(rest=f'{ASKED}options = ["young", "old"]')
    with pytest.raises(BadItems, match="is a slider, which has no most"):
        a_form(rest=ASKED.replace('"years"', '"slider"'))
    with pytest.raises(BadItems, match="is 'year'") as error:
        a_form(rest=ASKED.replace('"years"', '"year"'))
    assert "did you mean 'years'?" in str(error.value)


def test_people_answer_it_and_every_format_takes_it_out_and_in(
    form, store, study, browser, tmp_path
):
    pages = []

    def answers(page: FormPage):
        pages.append(page.text)
        return random_answers(len(pages))(page)

    assert fill_in(browser, "/", answers).code
    assert sum("How old are group" in page and 'max="99"' in page for page in pages) == 2
    collected = store.read(partial(collect, study=study))
    given = {(a.item, a.question): a.value for a in item_answers(collected)}
    assert {type(value) for (_, question), value in given.items() if question == "older"} == {float}
    for kind, file in (
        ("csv", "answers.csv"),
        ("label-studio", "tasks.json"),
        ("potato", "annotated_instances.jsonl"),
    ):
        path = tmp_path / file
        path.write_text(export_files(collected, kind)[file], "utf-8")
        back = read_item_answers(path, form, kind)
        assert {(a.item, a.question): a.value for a in back} == given


def test_a_page_says_what_it_takes(browser):
    def too_old(page: FormPage):
        sent = random_answers(0)(page)
        return {name: "100" if name == "q3" else value for name, value in sent.items()}

    pages = []
    with pytest.raises(Exception, match="not complete"):
        fill_in(browser, "/", lambda page: (pages.append(page.text), too_old(page))[1])
    assert "at most 99" in pages[-1]


@pytest.mark.parametrize("kind", finder.ours(KINDS))
def test_a_kind_is_called_as_its_file(kind):
    asked = finder.find(KINDS, kind, QUESTION)
    assert asked("a").kind == kind
