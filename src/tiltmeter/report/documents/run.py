"""The document of any result: a run of a study, an analysis, a comparison or an audit."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Card, Result
from tiltmeter.core.study import Study
from tiltmeter.core.study_views import Margins, Matrix
from tiltmeter.core.views import View
from tiltmeter.derived.audits.audit_findings import finding_of
from tiltmeter.report.document import (
    BOTH,
    PAGE,
    TERMINAL,
    Block,
    Document,
    Facts,
    Json,
    Lines,
    Section,
    Text,
)
from tiltmeter.report.documents import result_sections
from tiltmeter.report.documents.analysis import FILES, analysis_document
from tiltmeter.report.documents.audit_words import said_of_tests
from tiltmeter.report.documents.comparison import comparison_document
from tiltmeter.report.documents.conditions import conditions, precision_of, scored_by, tests
from tiltmeter.report.documents.left_out import left_out_facts
from tiltmeter.report.documents.matrix.profiles import row_pictures
from tiltmeter.report.documents.matrix.sections import without_cells
from tiltmeter.report.documents.method import method_sections, validity_section
from tiltmeter.report.documents.no_answers import lacks_answers, what_to_try
from tiltmeter.report.documents.reply_examples import reply_sections, reply_sentences
from tiltmeter.report.documents.undefined_tables import without_undefined
from tiltmeter.report.documents.view_builders import DocumentPart, Showing, built, of_part
from tiltmeter.report.text import name_of, sentence_end
from tiltmeter.run.audits.audit_profile import time_text
from tiltmeter.run.measuring.measure import replies_of
from tiltmeter.run.planning.study_files import study_if_known

CELLS_ELSEWHERE = (
    "The numbers of single cells are under the pictures above, in matrix.csv and in estimates.json."
)


def run_document(
    result: Result,
    study: Study[Any] | None = None,
    *,
    show_text: bool = True,
    show_thoughts: bool = False,
) -> Document:
    """The document of a result: the finding, the numbers by category and measure, items, and the method.

    The study, where it is installed, adds its title, what its number means, and what it does not show; None
    leaves these out. Without `show_text`, texts of items are left out; with `show_thoughts`, examples of what
    the model said have what it thought before.
    """
    card = result.card
    if card.compares_runs and result.runs:
        return comparison_document(result, show_text=show_text)
    if card.title:

        def of_run(run: Result) -> Document:
            return run_document(run, study_if_known(run.card), show_text=show_text)

        document = analysis_document(result, show_text=show_text, of_run=of_run)
        return _with_runs(document, result) if result.runs and not card.lays_out_runs else document
    views = result_sections.shown_views(result)
    estimates = list(result.estimates)
    matrices = [view for view in views if isinstance(view, Matrix)]
    for matrix in matrices:
        estimates = without_cells(estimates, matrix)
    how = Showing(key="r1", show_text=show_text)
    planes = of_part(built([result], views, how), DocumentPart.PLANE)
    scores = replies_of(study, card.rule) if study and show_text else None
    replies = reply_sections(result, scores, show_thoughts=show_thoughts)
    finding = result_sections.findings(result)
    if card.replies and not lacks_answers(card):
        read = reply_sentences(card.replies, card.rule)
        finding = [*finding[:1], *([read] if read else []), *finding[1:]]
    shown = _shown(result, views, how)
    known = [] if lacks_answers(card) else result.estimates
    return Document(
        study.title if study else card.study, name_of(result), finding,
        [
            *planes,
            *shown,
            *replies,
            *_advice(card, study),
            Section("conditions", "", [conditions(card, known, bars=not matrices)], on=TERMINAL),
            *_scope(card, known),
            Section("limits", "What this does not show", [Text(study.not_what)] if study else [],
                    on=TERMINAL),
            *method_sections([result], estimates, study,
                             elsewhere=CELLS_ELSEWHERE if len(estimates) < len(result.estimates) else ""),
        ],
        meaning=study.measures_what if study else "",
        limits=study.not_what if study else "",
        warning=result_sections.warning([result]), files=FILES, begins_with_picture=True,
    )  # fmt: skip


def _shown(result: Result, views: Sequence[View], how: Showing, *, level: int = 2) -> list[Section]:
    """The sections with numbers; none where no reply has an answer, as nothing was measured."""
    if lacks_answers(result.card):
        return []
    sections = result_sections.result_sections(result, views, how, level=level)
    return without_undefined(sections, result.estimates)


def _advice(card: Card, study: Study[Any] | None) -> list[Section]:
    lines = what_to_try(card, study)
    return [Section("advice", "What to try", [Lines(lines, on=BOTH)])] if lines else []


def _scope(card: Card, estimates: Sequence[Estimate]) -> list[Section]:
    """What the intervals are about, in full prints of the terminal; the page has it under Method."""
    if not (card.generalises_to and estimates):
        return []
    without = left_out_facts(card, estimates)
    facts = Facts({"Generalises to": card.generalises_to, **without}, on=TERMINAL)
    return [Section("scope", "", [facts], on=TERMINAL, brief=False)]


def _with_runs(document: Document, result: Result) -> Document:
    """The document of an audit with the sections of its runs before those about data, numbers and method."""
    made: list[Section] = []
    sources = {source.get("folder"): source for source in result.card.sources}
    for number, (name, run) in enumerate(result.runs.items(), 1):
        draws_plane = all(section.id != "plane" for section in made)
        made += _sections_of_run(run, sources[name], f"s{number}", draws_plane=draws_plane)
    at = next(
        i for i, section in enumerate(document.sections) if section.id in {"data", "estimates"}
    )
    sections = [*document.sections[:at], *made, *document.sections[at:]]
    return replace(document, sections=sections)


def _sections_of_run(
    run: Result, source: Mapping[str, str], key: str, *, draws_plane: bool
) -> list[Section]:
    """The sections about one study on the page of an audit.

    The `source` is the study's entry in the audit's card: name, label and folder. Only the first study that
    has a plane draws it (`draws_plane`).
    """
    seen = [view for view in result_sections.shown_views(run) if not isinstance(view, Margins)]
    study = study_if_known(run.card)
    blocks: list[Block] = []
    name, folder = source.get("name", run.card.study), source.get("folder", "")
    whole = finding_of(name, name, Path(folder), run)
    if whole.tests and not any(view.replaces_categories for view in seen):
        blocks.append(Text(f"{run.card.model_name}: {said_of_tests(whole)}"))
    else:
        blocks += [
            Text(text if isinstance(text, str) else text.text)
            for text in result_sections.findings(run)
        ]
    sections = [Section(key, name, blocks, parts="Its numbers, method and limits")]
    if study is not None:
        about = [Text(f"{sentence_end(study.title)} {study.measures_what}")]
        sections.append(Section(f"{key}-about", "What it measures", about, level=3))
    how = Showing(key=key, show_text=False, rows_drawn=False)
    planes = of_part(built([run], seen, how), DocumentPart.PLANE) if draws_plane else []
    sections += [replace(section, level=3) for section in planes]
    sections += _shown(run, seen, how, level=3)
    if study is not None:
        limits = [Text(study.not_what)]
        sections.append(Section(f"{key}-limits", "What it does not show", limits, level=3))
    how_measured = [Facts(_facts(run, folder))]
    sections.append(Section(f"{key}-how", "How it was measured", how_measured, level=3))
    sections.append(validity_section(run.card, f"{key}-validity", level=3))
    return [replace(section, on=PAGE) for section in sections]


def _facts(run: Result, folder: str) -> dict[str, Json]:
    card, seconds = run.card, run.card.run.get("seconds")
    coverage = [note.text for note in card.notes if note.kind in {"coverage", "caution"}]
    return {
        "Scored by": scored_by(card),
        "Data": card.data_name,
        "Items": f"{card.counts.get('scored', 0):,} of {card.counts.get('total', 0):,} scored",
        "Repeats": card.repeats or None,
        "p": tests(run.estimates),
        "Precision": precision_of(card) or None,
        "Notes": " ".join(coverage) or None,
        "Time": time_text(float(seconds)) if isinstance(seconds, int | float) else None,
        "Run folder": folder,
    }


def row_document(result: Result, rows: Sequence[str]) -> Document:
    """A document with the profile of each of these rows of a matrix as a picture of its own.

    Raises:
        BadInput: Rows are named, but the result has no matrix.
        UnknownName: The matrix has no row of that name.
    """
    views = [view for view in result_sections.shown_views(result) if isinstance(view, Matrix)]
    if rows and not views:
        raise BadInput(
            f"{rows[0]!r} has no picture of its own", "leave out --group: this run has no matrix"
        )
    drawn = [picture for view in views for picture in row_pictures(result, view, rows)]
    return Document(result.card.study, name_of(result), [], [Section("rows", "", drawn)])
