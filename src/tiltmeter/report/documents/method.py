"""The end of a run's page: all numbers, method, validity, data and models, and how to repeat the result."""

from collections.abc import Mapping, Sequence
from typing import Any

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Card, Result
from tiltmeter.core.study import Study
from tiltmeter.core.text import counted
from tiltmeter.core.validity import ABOUT, NOT_STATED, TITLE
from tiltmeter.report.document import (
    FILES_ONLY,
    PAGE,
    Block,
    Code,
    Facts,
    Json,
    Lines,
    Section,
    Text,
)
from tiltmeter.report.documents.conditions import precision_of, tests
from tiltmeter.report.documents.estimate_tables import full_table
from tiltmeter.report.documents.left_out import left_out_facts
from tiltmeter.report.documents.no_answers import lacks_answers
from tiltmeter.report.text import interval_name, name_of

SAID_ELSEWHERE = ("warning", "notes", "texts")
"""Facts about the data that the page shows in other places."""
EVERY_NUMBER = (
    "Every number comes with its rule, its neutral value where it has one, and, where it could not be "
    "computed, the reason."
)


def method_sections(
    results: Sequence[Result],
    estimates: Sequence[Estimate],
    study: Study[Any] | None,
    *,
    elsewhere: str = "",
) -> list[Section]:
    """The last sections of a page about these results of one study.

    `elsewhere` is a sentence that says where to find numbers that the table of all numbers leaves out.
    """
    labels = results[0].card.labels
    numbers: list[Block] = [Text(f"{EVERY_NUMBER} {elsewhere}".strip())]
    if estimates:
        numbers.append(full_table(estimates, labels))
    several = len(results) > 1
    models = [(Text(name_of(r)), Facts(_stated(r.card.model))) for r in results]
    described = [block for both in models for block in (both if several else both[1:])]
    # Where nothing was measured, the page has no list of numbers that are all undefined; files have it.
    on = FILES_ONLY if all(lacks_answers(r.card) for r in results) else PAGE
    return [
        Section("estimates", "All numbers", numbers, on=on),
        Section("method", "Method", _method(results, study), on=PAGE),
        validity_section(results[0].card),
        Section("data", "Data", _data(results), on=PAGE, folded=several),
        Section("model", "Models" if several else "Model", described, on=PAGE, folded=several),
        Section("repeat", "How to repeat it", _repeat(results), on=PAGE),
    ]  # fmt: skip


def validity_section(card: Card, key: str = "validity", *, level: int = 2) -> Section:
    """The section of a run's page, which is collapsed until the reader opens it.

    Args:
        card: Of a run of a study.
        key: The section's anchor, unique in the document.
        level: Of the heading.
    """
    stated = card.validity
    blocks: list[Block] = (
        [Text(NOT_STATED)] if stated is None else [Text(ABOUT), Facts(dict(stated.rows()))]
    )
    return Section(key, TITLE, blocks, level=level, on=PAGE, folded=True)


def _method(results: Sequence[Result], study: Study[Any] | None) -> list[Block]:
    texts = list(dict.fromkeys(r.card.method for r in results))
    for r in results:
        card, who = r.card, f"{name_of(r)}: " if len(results) > 1 else ""
        ties = f", ties {card.ties}" if card.ties else ""
        precise = f" Precision: {precision_of(card)}." if precision_of(card) else ""
        texts.append(f"{who}Rule {card.rule}, convention {card.convention}{ties}.{precise}")
    first = results[0].estimates
    head = next(iter(first), None)
    scopes = list(dict.fromkeys(r.card.generalises_to for r in results if r.card.generalises_to))
    how = {
        "Interval": interval_name(head) if head else "",
        "It generalises to": " ".join(scopes),
        **(left_out_facts(results[0].card, first) if len(results) == 1 else {}),
        "p": tests(first),
    }
    cited = study is not None and study.source not in results[0].card.method
    source = f"Study: {study.title}, version {study.version}. {study.source}" if study else ""
    return [*map(Text, texts), Facts(how), *([Text(source)] if cited else [])]


def _data(results: Sequence[Result]) -> list[Block]:
    """The data of each result with its counts and notes; data that all results share are described once."""
    same = all(r.card.data == results[0].card.data for r in results)
    blocks: list[Block] = []
    for i, r in enumerate(results):
        card = r.card
        who = f"{name_of(r)}: " if len(results) > 1 else ""
        if i == 0 or not same:
            known = {k: v for k, v in card.data.items() if k not in SAID_ELSEWHERE}
            blocks += [*([Text(name_of(r))] if who and not same else []), Facts(_stated(known))]
        blocks.append(Text(f"{who}{_counts(card)}"))
        if card.invalid:
            blocks.append(Lines(card.invalid, "What was left out, and why", folded=True))
        if card.notes:
            blocks.append(Lines([note.text for note in card.notes], "Notes"))
    return blocks


def _counts(card: Card) -> str:
    counts = card.counts
    tied = f", {counts['tied']:,} of them tied" if "tied" in counts else ""
    of = counted(counts.get("total", 0), "replies" if card.repeats else "items")
    return (
        f"{counts.get('scored', 0):,} of {of} scored{tied}; {counts.get('invalid', 0):,} left out."
    )


def _repeat(results: Sequence[Result]) -> list[Block]:
    """The command of each result with what it depends on; one that made several results stands once."""
    blocks: list[Block] = []
    for command in dict.fromkeys(r.card.command for r in results):
        made = [r for r in results if r.card.command == command]
        blocks.append(Code(command))
        for r in made:
            blocks += [*([Text(name_of(r))] if len(made) > 1 else []), Facts(_depends_on(r.card))]
    return blocks


def _depends_on(card: Card) -> dict[str, Json]:
    facts: dict[str, Json] = {"seed": card.seed, "fingerprint": card.model.get("fingerprint"),
             "versions": dict(card.versions)}  # fmt: skip
    if card.study_file:
        facts["study file"] = dict(card.study_file)
    settings = {name: value or "not set" for name, value in card.settings.items()}
    return facts | {"settings": settings or None}


def _stated(facts: Mapping[str, Any]) -> dict[str, Json]:
    return {name: "not stated" if value in (None, "") else value for name, value in facts.items()}
