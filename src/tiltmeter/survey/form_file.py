"""Form files: TOML, read with everything that is wrong with them at once."""

import hashlib
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadItems, UnknownName
from tiltmeter.data.files.plain_text import lines
from tiltmeter.data.files.toml_file import parsed_toml
from tiltmeter.survey.form import (
    CHECK_PAGE,
    DEMOGRAPHICS_PAGE,
    FAMILIAR_PAGE,
    AttentionCheck,
    CheckKind,
    Completion,
    Demographics,
    Form,
    ItemKind,
    Pay,
    Repeat,
    Rule,
    Sampling,
    SurveyItem,
)
from tiltmeter.survey.form_reading import FormReading
from tiltmeter.survey.page_reading import check_condition, page_of, questions_of

TOP = (
    "name", "version", "languages", "title", "source", "licence", "warning", "consent",
    "instructions", "back", "pages", "items", "sampling", "checks", "repeat", "demographics", "pay",
    "completion",
)  # fmt: skip
CHECKS: tuple[CheckKind, ...] = ("name_item", "high_trait", "low_trait")
RULES: tuple[Rule, ...] = ("same_side", "within_10", "correlation")
ITEMS: tuple[ItemKind, ...] = ("real", "training", "test")
HOW = "`tiltmeter survey check NAME --show` prints a built-in form to start from"


def built_in() -> tuple[str, ...]:
    """The names of the forms that come with Tiltmeter."""
    folder = files("tiltmeter.survey") / "forms"
    return tuple(sorted(f.name.removesuffix(".toml") for f in folder.iterdir()))


def form_text(name: str) -> str:
    """The file of a built-in form.

    Raises:
        UnknownName: There is none of this name.
    """
    if name not in built_in():
        raise UnknownName("built-in form", name, built_in())
    return (files("tiltmeter.survey") / "forms" / f"{name}.toml").read_text("utf-8")


def read_form(source: str | Path, *, encoding: str = "") -> Form:
    """Read and check a form.

    Args:
        source: A TOML file, or the name of a built-in form.
        encoding: Of the file; by default its byte order mark's, else UTF-8.

    Raises:
        UnknownName: Neither a file nor a built-in form.
        BadInput: It cannot be read, or is not TOML.
        BadItems: What it says cannot be used, all of it, each with the entry and a way out.
    """
    path = Path(source)
    if path.suffix.lower() == ".toml" or os.path.lexists(path):
        return form_of("".join(lines(path, encoding)), file=path.name)
    return form_of(form_text(str(source)), file=f"{source}.toml")


def form_of(text: str, *, file: str = "form.toml") -> Form:
    """The form that the text of a file describes; errors as in `read_form`."""
    table = parsed_toml(text, HOW, file=file)
    reading = FormReading(file)
    form = _form(reading, table, text)
    if not reading.problems:
        _check(reading, form)
    if reading.problems:
        raise BadItems(reading.problems)
    return form


def _form(reading: FormReading, table: Mapping[str, Any], text: str) -> Form:
    at = "the form"
    reading.known(table, TOP, at)
    reading.languages = reading.plains(table, "languages", at) or ("en",)
    return Form(
        name=reading.plain(table, "name", at, needed=True),
        version=reading.plain(table, "version", at) or "1",
        languages=reading.languages,
        title=reading.words(table, "title", at, needed=True),
        consent=reading.words(table, "consent", at, needed=True),
        pages=tuple(reading.tables(table, "pages", lambda t, w: page_of(reading, t, w))),
        source=reading.plain(table, "source", at),
        licence=reading.plain(table, "licence", at) or "not stated",
        warning=reading.words(table, "warning", at),
        instructions=reading.words(table, "instructions", at),
        items=tuple(reading.tables(table, "items", lambda t, w: _item(reading, t, w))),
        sampling=_sampling(reading, reading.table_in(table, "sampling", at)),
        checks=tuple(reading.tables(table, "checks", lambda t, w: _attention(reading, t, w))),
        repeat=_repeat(reading, table),
        demographics=_demographics(reading, reading.table_in(table, "demographics", at)),
        pay=_pay(reading, table),
        completion=_completion(reading, reading.table_in(table, "completion", at)),
        back=reading.flag(table, "back", at, default=True),
        text=text,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
    )


def _item(reading: FormReading, table: Mapping[str, Any], at: str) -> SurveyItem:
    own = ("id", "kind", "common", "stratum", "aliases", "expected", "why")
    key = reading.plain(table, "id", at, needed=True)
    at = f"item {key!r}" if key else at
    kind = reading.among(table, "kind", at, ITEMS)
    expected = reading.table_in(table, "expected", at)
    if kind == "training" and not expected:
        reading.complain(f"{at} has no expected answers", 'write expected = { QUESTION = "…" }')
    return SurveyItem(
        key=key,
        texts={name: reading.words(table, name, at) for name in table if name not in own},
        kind=kind,
        common=reading.flag(table, "common", at, default=False),
        stratum=reading.plain(table, "stratum", at),
        aliases=reading.plains(table, "aliases", at),
        expected={name: reading.plain(expected, name, at) for name in expected},
        why=reading.words(table, "why", at),
    )


def _sampling(reading: FormReading, table: Mapping[str, Any]) -> Sampling:
    at = "[sampling]"
    reading.known(table, ("each", "votes", "familiar", "quotas", "lease"), at)
    quotas = reading.table_in(table, "quotas", at)
    return Sampling(
        each=reading.count(table, "each", at),
        votes=reading.count(table, "votes", at),
        familiar=reading.count(table, "familiar", at),
        quotas={name: reading.count(quotas, name, f"{at}: quotas") for name in quotas},
        lease=reading.count(table, "lease", at, Sampling().lease),
    )


def _attention(reading: FormReading, table: Mapping[str, Any], at: str) -> AttentionCheck:
    reading.known(table, ("kind", "after", "text"), at)
    return AttentionCheck(
        kind=reading.among(table, "kind", at, CHECKS),
        after=int(reading.finite(table, "after", at, 1, least=1)),
        text=reading.words(table, "text", at, needed=True),
    )


def _repeat(reading: FormReading, table: Mapping[str, Any]) -> Repeat | None:
    if "repeat" not in table:
        return None
    at, own = "[repeat]", reading.table_in(table, "repeat", "the form")
    reading.known(own, ("items", "rule", "at_least"), at)
    return Repeat(
        items=reading.count(own, "items", at, 1),
        rule=reading.among(own, "rule", at, RULES),
        at_least=reading.finite(own, "at_least", at, Repeat().at_least),
    )


def _demographics(reading: FormReading, table: Mapping[str, Any]) -> Demographics:
    at = "[demographics]"
    reading.known(table, ("text", "linked", "consent", "questions"), at)
    found = reading.tables(
        table, "questions", lambda t, w: [*questions_of(reading, t, f"{at}, {w}")]
    )
    questions = tuple(question for several in found for question in several)
    linked = reading.flag(table, "linked", at, default=False)
    before: dict[str, Any] = {}
    for question in questions:
        check_condition(reading, question.when, before, f"{at}, question {question.name!r}")
        before[question.name] = question
    return Demographics(
        questions=questions,
        text=reading.words(table, "text", at),
        linked=linked,
        consent=reading.words(table, "consent", at, needed=linked),
    )


def _pay(reading: FormReading, table: Mapping[str, Any]) -> Pay | None:
    if "pay" not in table:
        return None
    at, own = "[pay]", reading.table_in(table, "pay", "the form")
    reading.known(own, ("amount", "currency", "minutes", "hourly", "variety"), at)
    if "amount" not in own:
        reading.complain(f"{at} has no amount", "write amount = 2.00")
    return Pay(
        amount=reading.finite(own, "amount", at, 0.0, least=0),
        currency=reading.plain(own, "currency", at) or "USD",
        minutes=reading.finite(own, "minutes", at, 0.0, least=0),
        hourly=reading.finite(own, "hourly", at, 0.0, least=0),
        variety=reading.finite(own, "variety", at, 0.0, least=0),
    )


def _completion(reading: FormReading, table: Mapping[str, Any]) -> Completion:
    at = "[completion]"
    reading.known(table, ("text", "url", "code"), at)
    url = reading.plain(table, "url", at)
    if url and not url.startswith("https://"):
        reading.complain(f"{at}: url is {url!r}", "write an address that begins with https://")
    return Completion(reading.words(table, "text", at), url, reading.plain(table, "code", at))


def _check(reading: FormReading, form: Form) -> None:
    """What concerns several parts of the form."""
    _once(reading, "language", form.languages)
    _once(reading, "page", [page.name for page in form.pages])
    _once(reading, "item", [item.key for item in form.items])
    _once(reading, "demographic question", [q.name for q in form.demographics.questions])
    for page in form.pages:
        if page.name in {CHECK_PAGE, DEMOGRAPHICS_PAGE, FAMILIAR_PAGE}:
            reading.complain(
                f"a page is called {page.name!r}", "this name is taken; choose another"
            )
        if page.when.wanted:
            asked = [p for p in form.pages[: form.pages.index(page)] if p.part == page.part]
            before = {q.name: q for p in asked for q in p.questions}
            check_condition(reading, page.when, before, f"page {page.name!r}")
    if not form.part("item"):
        reading.complain("no page is for items", 'write a page with part = "item"')
    _check_items(reading, form)
    _check_sliders(reading, form)


def _check_items(reading: FormReading, form: Form) -> None:
    for item in form.items:
        for page in form.part("training" if item.kind == "training" else "item"):
            for name in page.show:
                if not item.texts.get(name):
                    reading.complain(f"item {item.key!r} has no {name}", "pages show it: write it")
    real = [item for item in form.items if item.kind != "training"]
    common, each = sum(item.common for item in real), form.sampling.each
    if each and common > each:
        why = f"{common} items are common, but a person gets {each}"
        reading.complain(why, "raise each in [sampling], or make fewer items common")
    if real and each > len(real):
        why = f"a person gets {each} items, but there are {len(real)}"
        way_out = "lower each in [sampling], or take [[items]] out where --items gives them"
        reading.complain(why, way_out)
    if form.sampling.familiar and form.sampling.familiar < form.sampling.each:
        reading.complain("fewer items are marked than rated", "raise familiar in [sampling]")


def _check_sliders(reading: FormReading, form: Form) -> None:
    """Questions about traits, and self-agreement, need sliders."""
    sliders = any(q.kind == "slider" for page in form.part("item") for q in page.questions)
    traits = any(check.kind != "name_item" for check in form.checks)
    if (traits or form.repeat) and not sliders:
        what = "[repeat]" if form.repeat else "a test question about traits"
        reading.complain(f"{what} needs sliders on the item pages", "add some, or take it out")
    for check in form.checks:
        if form.sampling.each and check.after > form.sampling.each:
            why = f"the test {check.kind!r} comes after item {check.after}"
            reading.complain(
                why, f"a person gets {form.sampling.each} items: write a smaller number"
            )


def _once(reading: FormReading, what: str, names: Sequence[str]) -> None:
    for name, times in Counter(names).items():
        if times > 1:
            reading.complain(f"the {what} {name!r} occurs {times} times", "name each differently")
