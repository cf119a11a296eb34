"""Sections of the runs of an audit: of each what it found, how it was scored, and its pictures."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tiltmeter.analysis.audit_findings import finding_of
from tiltmeter.core.results import Result
from tiltmeter.core.study import Study
from tiltmeter.core.views import Margins, Matrix, Plane, View
from tiltmeter.report.document import PAGE, Block, Facts, Json, Section, Text
from tiltmeter.report.documents.audit_words import said_of_tests
from tiltmeter.report.documents.conditions import precision_of, tests
from tiltmeter.report.documents.plane_blocks import plane_sections
from tiltmeter.report.documents.result_sections import of_kind, result_sections
from tiltmeter.run.audit_profile import time_text


def sections_of_run(
    run: Result,
    source: Mapping[str, str],
    key: str,
    findings: Sequence[Text | str],
    views: Sequence[View],
    study: Study[Any] | None,
    *,
    draws_plane: bool,
) -> list[Section]:
    """All that the page of an audit says of one study.

    Args:
        run: As its folder has it.
        source: What the audit's card says of it: name, label and folder.
        key: Makes anchors and names of pictures unique in the document.
        findings: What came out, in sentences.
        views: Those of the study for which it has numbers.
        study: Adds what it measures and does not show; None where it is not installed.
        draws_plane: False where another study's section has the plane.
    """
    seen = [view for view in views if not isinstance(view, Margins)]
    blocks: list[Block] = [Text(f"{study.title}. {study.measures_what}")] if study else []
    name, folder = source.get("name", run.card.study), source.get("folder", "")
    whole = finding_of(name, name, Path(folder), run)
    if whole.tests and not of_kind(seen, Matrix):
        blocks.append(Text(f"{run.card.model_name}: {said_of_tests(whole)}"))
    else:
        blocks += [Text(text if isinstance(text, str) else text.text) for text in findings]
    blocks.append(Facts(_facts(run, folder)))
    made = [Section(key, name, blocks, on=PAGE)]
    for view in of_kind(seen, Plane) if draws_plane else ():
        made += [replace(section, level=3) for section in plane_sections([run], view)]
    parts = result_sections(run, seen, key, level=3, show_text=False, rows_drawn=False)
    made += [replace(section, on=PAGE) for section in parts]
    if study is not None:
        title = "What it does not show"
        made.append(Section(f"{key}-limits", title, [Text(study.not_what)], 3, PAGE))
    return made


def _facts(run: Result, folder: str) -> dict[str, Json]:
    card, seconds = run.card, run.card.run.get("seconds")
    coverage = [note.text for note in card.notes if note.kind in {"coverage", "caution"}]
    return {
        "Scored by": f"rule {card.rule}, convention {card.convention}",
        "Data": card.data_name,
        "Items": f"{card.counts.get('scored', 0):,} of {card.counts.get('total', 0):,} scored",
        "p": tests(run.estimates),
        "Precision": precision_of(card) or None,
        "Notes": " ".join(coverage) or None,
        "Time": time_text(float(seconds)) if isinstance(seconds, int | float) else None,
        "Run folder": folder,
    }
