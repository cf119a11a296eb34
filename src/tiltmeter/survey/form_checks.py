"""What must go together in a form, once each of its parts is read."""

from collections.abc import Iterator

from tiltmeter.core.typed_values import Fault
from tiltmeter.core.value_types import repeated
from tiltmeter.survey.form import CHECK_PAGE, DEMOGRAPHICS_PAGE, FAMILIAR_PAGE, Form
from tiltmeter.survey.questions import of_condition


def of_form(form: Form) -> Iterator[Fault]:
    """What concerns several parts of the form."""
    yield from repeated("language", form.languages)
    yield from repeated("page", [page.name for page in form.pages])
    yield from repeated("item", [item.key for item in form.items])
    yield from repeated("demographic question", [q.name for q in form.demographics.questions])
    for number, page in enumerate(form.pages):
        if page.name in {CHECK_PAGE, DEMOGRAPHICS_PAGE, FAMILIAR_PAGE}:
            yield Fault(f"a page is called {page.name!r}", "this name is taken; choose another")
        asked = [p for p in form.pages[:number] if p.part == page.part]
        before = {question.name: question for p in asked for question in p.questions}
        yield from of_condition(page.when, before, f"page {page.name!r}")
    if not form.part("item"):
        yield Fault("has no page for items", 'write a page with part = "item"')
    yield from _of_items(form)
    yield from _of_sliders(form)


def _of_items(form: Form) -> Iterator[Fault]:
    for item in form.items:
        for page in form.part("training" if item.kind == "training" else "item"):
            for name in page.show:
                if not item.texts.get(name):
                    yield Fault(f"item {item.key!r} has no {name}", "pages show it: write it")
    real = [item for item in form.items if item.kind != "training"]
    common, each = sum(item.common for item in real), form.sampling.each
    if each and common > each:
        reason = f"{common} items are common, but a person gets {each}"
        yield Fault(reason, "raise each in [sampling], or make fewer items common")
    if real and each > len(real):
        reason = f"a person gets {each} items, but there are {len(real)}"
        way_out = "lower each in [sampling], or take [[items]] out where --items gives them"
        yield Fault(reason, way_out)
    if form.sampling.familiar and form.sampling.familiar < form.sampling.each:
        yield Fault("fewer items are marked than rated", "raise familiar in [sampling]")


def _of_sliders(form: Form) -> Iterator[Fault]:
    """Questions about traits, and self-agreement, need sliders."""
    sliders = any(q.kind == "slider" for page in form.part("item") for q in page.questions)
    traits = any(check.kind != "name_item" for check in form.checks)
    if (traits or form.repeat) and not sliders:
        what = "[repeat]" if form.repeat else "a test question about traits"
        yield Fault(f"{what} needs sliders on the item pages", "add some, or take it out")
    for check in form.checks:
        if form.sampling.each and check.after > form.sampling.each:
            reason = f"the test {check.kind!r} comes after item {check.after}"
            way_out = f"a person gets {form.sampling.each} items: write a smaller number"
            yield Fault(reason, way_out)
