"""figure: one picture of one or more runs, as a file for a paper."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tiltmeter.core.reading.options import Option, Seed
from tiltmeter.run.run_options import AllowCode, StudyPath

if TYPE_CHECKING:
    from tiltmeter.core.results import Result
    from tiltmeter.report.plots.export import Format

WIDTHS = {"column": 84.0, "text": 174.0}
"""Millimetres: one column of a paper of two, and both."""
NARROW = 120.0
"""Below this width a picture is drawn in its narrow layout, whose letters stay readable."""
LEAST, MOST = 20.0, 2000.0
LISTED = 15
"""The most pictures of one study that are listed."""


def figure(
    runs: Annotated[list[Path], Option(
        "Run folders, a folder of them, or another folder with a page (a comparison, compare-people, …). "
        "Several runs of one study are compared, and pictures of several analyses are panels of one.",
        metavar="RUN…", argument=True)],
    *,
    kind: Annotated[str | None, Option(
        "Which picture; without it a list of them, or with --to the only one.", metavar="NAME")] = None,
    to: Annotated[Path | None, Option(
        "File: .svg, .pdf or .png. Default: NAME.pdf.", metavar="FILE")] = None,
    width: Annotated[str | None, Option(
        "Width on paper: column (84 mm), text (174 mm) or a number of millimetres.")] = None,
    group: Annotated[list[str] | None, Option(
        "For a study with a matrix: also the profile of this row; repeatable.")] = None,
    study_file: StudyPath = None,
    allow_code: AllowCode = False,
    seed: Seed = 0,
) -> None:  # fmt: skip
    """Write one picture of runs as SVG, PDF or PNG, sized for a paper."""
    from tiltmeter.cli.console import say_file
    from tiltmeter.core.errors import BadInput, UnknownName
    from tiltmeter.core.text import counted
    from tiltmeter.report.plots.export import drawn
    from tiltmeter.run.files.output_files import write_bytes
    from tiltmeter.run.planning.study_files import read_if_named

    read_if_named(study_file, allow_code=allow_code)
    millimetres = _width(width)
    format_ = _format(to)
    narrow = millimetres is not None and millimetres < NARROW
    by_study = _drawings(runs, group or (), seed, narrow=narrow)
    drawings = {name: drawn for pictures in by_study.values() for name, drawn in pictures.items()}
    if not drawings:
        raise BadInput(
            "these results have no pictures: none of their numbers is drawn",
            "`tiltmeter table` has their numbers, and their pages show them", file=str(runs[0]),
        )  # fmt: skip
    if kind is None and to is not None and len(drawings) == 1:
        kind = next(iter(drawings))
    if kind is None and to is not None:
        raise BadInput(
            f"there are {counted(len(drawings), 'pictures')}, and --to takes one",
            f"choose with --kind: {', '.join([*drawings][:LISTED])}",
        )
    if kind is None:
        _list(by_study)
        return
    if kind not in drawings:
        raise UnknownName("picture", kind, drawings)
    target = to or Path(f"{kind}.pdf")
    write_bytes(target, drawn(drawings[kind], format_, width_mm=millimetres))
    say_file(target)


def _width(text: str | None) -> float | None:
    from tiltmeter.core.errors import BadInput

    if text is None or text in WIDTHS:
        return None if text is None else WIDTHS[text]
    number = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(?:mm)?\s*", text)
    if number is None or not LEAST <= float(number[1]) <= MOST:
        raise BadInput(
            f"--width {text!r} is no width",
            f"give column, text, or {LEAST:g} to {MOST:g} millimetres",
        )
    return float(number[1])


def _format(to: Path | None) -> "Format":
    from tiltmeter.core.errors import BadInput

    formats: dict[str, Format] = {".svg": "svg", ".pdf": "pdf", ".png": "png"}
    if to is None:
        return "pdf"
    if to.suffix.lower() not in formats:
        raise BadInput(f"{to.name!r} does not say the format", "end it with .svg, .pdf or .png")
    return formats[to.suffix.lower()]


def _drawings(
    runs: Sequence[Path], groups: Sequence[str], seed: int, *, narrow: bool
) -> dict[str, dict[str, str]]:
    """The pictures of these folders in the layout for the width, by study and by name.

    Of several studies, names begin with the study's.
    """
    from tiltmeter.analyses.compare import comparison
    from tiltmeter.cli.console import err
    from tiltmeter.core.finder import known
    from tiltmeter.derived.comparisons.compare import compare_all
    from tiltmeter.derived.sources import in_listed_order, read_runs
    from tiltmeter.report.documents.run import row_document, run_document
    from tiltmeter.report.plots.export import drawings_of
    from tiltmeter.run.planning.study_files import study_if_known

    by_study: dict[str, list[Result]] = {}
    folders: dict[str, list[str]] = {}
    read, notes = read_runs(runs)
    for note in notes:
        err.print(note)
    for folder, result in in_listed_order(read):
        by_study.setdefault(result.card.study, []).append(result)
        folders.setdefault(result.card.study, []).append(folder.name)
    drawings: dict[str, dict[str, str]] = {}
    for study, results in by_study.items():
        start = f"{study}-" if len(by_study) > 1 else ""
        if len(results) > 1 and study in known("analyses"):
            drawings[study] = {
                f"{start}{name}": drawing
                for name, drawing in _beside(results, folders[study]).items()
            }
            continue
        shown = results[0]
        if len(results) > 1:
            by_number = {str(number): result for number, result in enumerate(results)}
            shown = comparison(by_number, compare_all(results, seed=seed))
        documents = [run_document(shown, study_if_known(shown.card), show_text=False)]
        if groups:
            documents += [row_document(result, groups) for result in results]
        named = [drawings_of(document, narrow=narrow) for document in documents]
        drawings[study] = {
            f"{start}{name}": drawing for some in named for name, drawing in some.items()
        }
    return drawings


def _beside(results: "Sequence[Result]", folders: Sequence[str]) -> dict[str, str]:
    """The pictures of an analysis's several results, those of one name as panels of one.

    Panels are headed by what the results are about, or by their folders where that is the same.
    """
    from tiltmeter.report.documents.run import run_document
    from tiltmeter.report.plots.export import drawings_of, title_of
    from tiltmeter.report.plots.panels import WIDE, combined

    panels: dict[str, list[tuple[str, str]]] = {}
    titles = [result.card.subtitle for result in results]
    headings = titles if len({*titles}) == len(titles) else folders
    for heading, result in zip(headings, results, strict=True):
        document = run_document(result, None, show_text=False)
        for name, drawing in drawings_of(document, narrow=True).items():
            panels.setdefault(name, []).append((heading, drawing))
    return {
        name: combined(some, name=name, title=title_of(some[0][1]), layout=WIDE)
        for name, some in panels.items()
    }


def _list(by_study: Mapping[str, Mapping[str, str]]) -> None:
    """The pictures of one study by the name that --kind takes, of several studies the first of each."""
    from tiltmeter.cli.console import err, out
    from tiltmeter.core.text import counted
    from tiltmeter.report.plots.export import title_of

    drawn = [pictures for pictures in by_study.values() if pictures]
    most = LISTED if len(by_study) == 1 else 1
    shown = {name: drawing for some in drawn for name, drawing in [*some.items()][:most]}
    width = max(map(len, shown), default=0)
    for name, drawing in shown.items():
        out.print(f"{name.ljust(width)}  {title_of(drawing)}", markup=False, soft_wrap=True)
    err.print("Choose one with --kind NAME.")
    if more := sum(map(len, drawn)) - len(shown):
        which = "the runs of one study" if len(by_study) > 1 else "fewer runs"
        err.print(f"{counted(more, 'further pictures')}: name {which} to list them.")
