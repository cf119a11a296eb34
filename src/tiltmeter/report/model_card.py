"""Makes a section of a model card of a result: Markdown, and metadata for the hub's model index."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.model.back_ends import traits_of
from tiltmeter.core.results import Card, Result
from tiltmeter.core.study import Study
from tiltmeter.core.validity import ABOUT, TITLE
from tiltmeter.report.document import Document, fact
from tiltmeter.report.documents.conditions import conditions
from tiltmeter.report.documents.estimate_tables import others_table
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.tables import as_markdown, markdown_text
from tiltmeter.report.text import anchor, title

Metadata: TypeAlias = dict[str, Any]
"""Plain values that YAML can hold."""
OTHER = ("other", "Social bias")
"""The task (type, name) of a model whose kind has no task on the hub."""
DIGITS = 6
"""To how many decimals numbers in the metadata are rounded."""
NOT_SHOWN = "What this does not show"
WHOLE = "Over all items"
FACTS = (
    "Interval", "p", "MDE", "Scored by", "Settings", "Ties", "Left out", "Precision", "Caution", "Data",
)  # fmt: skip
"""The facts from the terminal's list that the card repeats."""


@dataclass(frozen=True, slots=True)
class ModelCardSection:
    """The section of a model card about one result."""

    key: str
    """Study, rule and convention as one name; a newer section with the same key replaces this one."""
    markdown: str
    """The text of the section, from its heading on."""
    model_index: Sequence[Metadata]
    """The value of `model-index` in the card's metadata, as the hub defines it."""

    def __str__(self) -> str:
        return self.markdown


def model_card_section(result: Result, study: Study[Any] | None) -> ModelCardSection:
    """The section about a run: the finding, the numbers, the method, and what they do not show."""
    card = result.card
    document = run_document(result, study, show_text=False)
    key = anchor(f"{card.study} {card.rule} {card.convention}")
    return ModelCardSection(key, _markdown(document, result), [_entry(document, result)])


def _markdown(document: Document, result: Result) -> str:
    card = result.card
    overall = [e for e in result.estimates if not e.groups]
    whole = replace(others_table(overall, [title(e) for e in overall]), title=WHOLE)
    tables = [whole] if overall else []
    tables += [t for t in list(document.tables())[:1] if t.rows > 1]
    known = conditions(card, result.estimates).facts
    facts: dict[str, object] = {
        "Model": card.model_name,
        **{name: known[name] for name in FACTS if name in known},
        "Seed": card.seed,
        "Tiltmeter": card.versions.get("tiltmeter"),
    }
    command = fact(card.command).replace("`", "'")
    lines = [
        f"## {markdown_text(document.title)}",
        *(markdown_text(text.text) for text in document.paragraphs()),
        *(as_markdown(table).strip("\n") for table in tables),
        "\n".join(
            f"- {name}: {markdown_text(fact(value))}"
            for name, value in facts.items()
            if fact(value)
        ),
        markdown_text(card.method),
        f"**{NOT_SHOWN}.** {markdown_text(document.limits)}" if document.limits else "",
        *_validity(card),
        f"Measured with `{command}`." if command else "",
    ]
    return "\n\n".join(line for line in lines if line) + "\n"


def _validity(card: Card) -> list[str]:
    """The study's checklist of construct validity, collapsed; [] where the study states none."""
    if card.validity is None:
        return []
    rows = (f"- {name}: {markdown_text(text)}" for name, text in card.validity.rows())
    opening = f"<details><summary>{TITLE}</summary>"
    return [opening, markdown_text(ABOUT), "\n".join(rows), "</details>"]


def _entry(document: Document, result: Result) -> Metadata:
    card = result.card
    task, task_name = traits_of(str(card.model.get("kind", ""))).hub_task or OTHER
    data = card.data
    args = {name: data.get(name) for name in ("items", "sha256")}
    args["study_version"] = card.study_version
    return {
        "name": card.model_name,
        "results": [
            {
                "task": {"type": task, "name": task_name},
                "dataset": _stated({
                    "type": str(data["name"]), "name": document.title, "config": card.study,
                    "revision": data.get("version"), "args": _stated(args),
                }),
                "metrics": [
                    _metric(e, card) for e in result.estimates if not e.groups and e.value is not None
                ],
            }
        ],
    }  # fmt: skip


def _metric(e: Estimate, card: Card) -> Metadata:
    """An estimate in the hub's form, with everything that it depends on under "args"."""
    interval = e.low is not None and e.high is not None
    return {
        "type": e.name,
        "value": _rounded(e.value),
        "name": title(e),
        "args": _stated({
            "rule": e.rule, "convention": e.convention, "ties": e.ties, "n": e.n, "unit": e.unit,
            "neutral": e.neutral, "low": _rounded(e.low), "high": _rounded(e.high),
            "level": e.level if interval else None, "interval": e.interval if interval else None,
            "p": _rounded(e.p), "test": e.test if e.p is not None else None, "seed": card.seed,
            "settings": dict(card.settings) or None, "tiltmeter": card.versions.get("tiltmeter"),
        }),
    }  # fmt: skip


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(float(value), DIGITS)


def _stated(values: Metadata) -> Metadata:
    """The values without those that are empty or unknown."""
    return {name: value for name, value in values.items() if value not in (None, "", {})}
