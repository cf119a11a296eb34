"""An audit of a model as one document: the summary, the thresholds, then a section a study."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tiltmeter.analysis.model_audit import Audit, StudyFinding
from tiltmeter.core.study import Study
from tiltmeter.core.views import Margins, Matrix, Plane
from tiltmeter.report.document import PAGE, Block, Code, Document, Facts, Json, Lines, Section, Text
from tiltmeter.report.documents.audit_tables import (
    changes_table,
    data_table,
    gates_table,
    glance_table,
    unmeasured_blocks,
)
from tiltmeter.report.documents.audit_words import DIFFERS, READ, name_of, said_of_tests, summary
from tiltmeter.report.documents.conditions import precision_of, tests
from tiltmeter.report.documents.plane_blocks import plane_sections
from tiltmeter.report.documents.result_sections import of_kind, result_sections
from tiltmeter.report.documents.run import findings, shown_views
from tiltmeter.report.text import sentence_end
from tiltmeter.run.audit_profile import time_text

FILES = ("audit.json", "studies.csv")
MEANS = (
    "Each study asks the model about sentences or words that concern social groups, and counts how far its "
    "answers are from neutral. Studies measure different things; their numbers are not on one scale and are "
    "not added up."
)
LIMITS = (
    "That the model is safe to use. Each study covers some groups, mostly in English and from one country’s "
    "view; what people meet in use depends on the application. A study without a significant lean may still "
    "have missed a small one. Significant does not mean large."
)
METHOD = (
    "Every study was run by the first of its rules that the model can answer, and as its own section says. "
    "Within a study, p is adjusted over its categories; over the studies of this audit, p of each study’s "
    "main number is adjusted by Holm’s method, which keeps the chance of any false finding under 5 %. "
    "A study without a number over all items counts as one test: that none of its tests differs."
)
TEXTS = "Texts of items are left out of this page; the pages in the run folders have them."


def audit_document(audit: Audit, studies: Mapping[str, Study[Any]] | None = None) -> Document:
    """The summary, thresholds, changes, what was not measured, then each study, data and method.

    Args:
        audit: What was found.
        studies: By name: adds what each means and does not show.
    """
    known = studies or {}
    budget = [f"time budget {time_text(audit.budget)}"] if audit.budget is not None else []
    return Document(
        "Audit of a language model",
        " · ".join([audit.model, audit.title, *budget]),
        summary(audit),
        [
            Section("glance", "The studies at a glance", [glance_table(audit), Text(READ, "note")]),
            *_optional("gates", "Thresholds", gates_table(audit)),
            *_optional("changes", f"Compared with {audit.reference}", changes_table(audit),
                       Text(DIFFERS, "note")),
            *_optional("unmeasured", "Not measured", *unmeasured_blocks(audit)),
            *_studies(audit, known),
            Section("data", "Data", [data_table(audit), *_warnings(audit)], on=PAGE),
            Section("model", "Model", _models(audit), on=PAGE),
            Section("method", "Method", [Text(METHOD), Text(TEXTS)], on=PAGE),
            Section("repeat", "How to repeat it", _repeat(audit), on=PAGE),
        ],
        meaning=MEANS,
        limits=LIMITS,
        files=FILES,
    )  # fmt: skip


def _optional(key: str, title: str, block: Block | None = None, *more: Block) -> list[Section]:
    return [] if block is None else [Section(key, title, [block, *more])]


def _studies(audit: Audit, studies: Mapping[str, Study[Any]]) -> list[Section]:
    """A section a study, in the order of the summary; a plane is drawn once."""
    found: list[Section] = []
    for number, one in enumerate(audit.findings, 1):
        key, card = f"s{number}", one.result.card
        study = studies.get(card.study)
        views = [v for v in shown_views(one.result) if not isinstance(v, Margins)]
        blocks: list[Block] = []
        if study is not None:
            blocks.append(Text(f"{one.title}. {study.measures_what}"))
        blocks += _said(one, audit.model)
        blocks.append(Facts(_facts(one)))
        found.append(Section(key, name_of(one), blocks, on=PAGE))
        planes = [] if any(s.id == "plane" for s in found) else of_kind(views, Plane)
        found += [
            replace(section, level=3)
            for view in planes
            for section in plane_sections([one.result], view)
        ]
        parts = result_sections(one.result, views, key, level=3, show_text=False, rows_drawn=False)
        found += [replace(section, on=PAGE) for section in parts]
        if study is not None:
            limits = Section(
                f"{key}-limits", "What it does not show", [Text(study.not_what)], 3, PAGE
            )
            found.append(limits)
    return found


def _said(one: StudyFinding, model: str) -> list[Block]:
    """The finding as on the page of the run; of tests by subset, how many are significant."""
    if one.tests and not of_kind(shown_views(one.result), Matrix):
        return [Text(f"{model}: {said_of_tests(one)}")]
    return [Text(text if isinstance(text, str) else text.text) for text in findings(one.result)]


def _facts(one: StudyFinding) -> dict[str, Json]:
    card = one.result.card
    coverage = [note.text for note in card.notes if note.kind in {"coverage", "caution"}]
    return {
        "Scored by": f"rule {card.rule}, convention {card.convention}",
        "Data": str(card.data.get("name") or ""),
        "Items": f"{card.counts.get('scored', 0):,} of {card.counts.get('total', 0):,} scored",
        "p": tests(one.result.estimates),
        "Precision": precision_of(card) or None,
        "Notes": " ".join(coverage) or None,
        "Time": time_text(one.seconds),
        "Run folder": one.folder.name,
    }


def _warnings(audit: Audit) -> list[Block]:
    found: dict[str, list[str]] = {}
    for one in audit.findings:
        if text := str(one.result.card.data.get("warning") or ""):
            found.setdefault(text, []).append(name_of(one))
    lines = [f"{', '.join(names)}: {sentence_end(text)}" for text, names in found.items()]
    return [Lines(lines, "Content warnings of the data")] if lines else []


def _models(audit: Audit) -> list[Block]:
    if not audit.findings:
        return []
    facts = {
        k: "not stated" if v in (None, "") else v
        for k, v in audit.findings[0].result.card.model.items()
    }
    return [Facts(facts)]


def _repeat(audit: Audit) -> Sequence[Block]:
    if not audit.findings:
        return [Code(audit.command)]
    card = audit.findings[0].result.card
    return [Code(audit.command), Facts({"profile": audit.profile, "versions": dict(card.versions)})]
