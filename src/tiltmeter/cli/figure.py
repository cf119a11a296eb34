"""figure: one picture of one or more runs, as a file for a paper."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tiltmeter.core.options import Option, Seed
from tiltmeter.run.run_options import AllowCode, StudyPath

if TYPE_CHECKING:
    from tiltmeter.report.document import Document
    from tiltmeter.report.plots.export import Format

WIDTHS = {"column": 84.0, "text": 174.0}
"""Millimetres: one column of a paper of two, and both."""
NARROW = 120.0
"""Below this width a picture is drawn in its narrow layout, whose letters stay readable."""
LEAST, MOST = 20.0, 2000.0


def figure(
    runs: Annotated[
        list[Path],
        Option(
            "A run folder, several of one study, or another folder with a page (a comparison, "
            "compare-people, …).",
            metavar="RUN…",
            argument=True,
        ),
    ],
    *,
    kind: Annotated[
        str | None, Option("Which picture. Without it, the pictures are listed.", metavar="NAME")
    ] = None,
    to: Annotated[
        Path | None, Option("File: .svg, .pdf or .png. Default: NAME.pdf.", metavar="FILE")
    ] = None,
    width: Annotated[
        str | None,
        Option("How wide on paper: column (84 mm), text (174 mm) or a number of millimetres."),
    ] = None,
    group: Annotated[
        list[str] | None,
        Option(
            "Of a study with a matrix: also the profile of this row (may be given several times)."
        ),
    ] = None,
    study_file: StudyPath = None,
    allow_code: AllowCode = False,
    seed: Seed = 0,
) -> None:
    """Write one picture of one or more runs as SVG, PDF or PNG, sized for a paper."""
    from tiltmeter.cli.console import say_file
    from tiltmeter.core.errors import UnknownName
    from tiltmeter.report.plots.export import drawn
    from tiltmeter.run.output_files import write_bytes
    from tiltmeter.run.study_files import read_study

    if study_file is not None:
        read_study(study_file, allow_code=allow_code)
    millimetres = _width(width)
    format_ = _format(to)
    narrow = millimetres is not None and millimetres < NARROW
    drawings = _drawings(runs, group or (), seed, narrow=narrow)
    if kind is None:
        _list(drawings)
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
) -> dict[str, str]:
    """Every picture of these folders in the layout for the width."""
    from tiltmeter.report.plots.export import drawings_of, drawings_on
    from tiltmeter.run import folder as folders
    from tiltmeter.run.output_files import PAGE

    if len(runs) == 1 and folders.other_kind(runs[0]):
        return drawings_on((runs[0] / PAGE).read_text("utf-8"), narrow=narrow)
    found: dict[str, str] = {}
    for document in _documents(runs, groups, seed):
        found |= drawings_of(document, narrow=narrow)
    return found


def _documents(runs: Sequence[Path], groups: Sequence[str], seed: int) -> "list[Document]":
    from tiltmeter.analysis.sources import read_runs
    from tiltmeter.report.documents.comparison import comparison_document
    from tiltmeter.report.documents.run import row_document, run_document
    from tiltmeter.report.saved_runs import compared
    from tiltmeter.run.study_files import study_if_known

    results = [result for _, result in read_runs(runs)[0]]
    study = study_if_known(results[0].card)
    rows = [row_document(result, groups) for result in results] if groups else []
    if len(results) == 1:
        return [run_document(results[0], study, show_text=False), *rows]
    comparison = compared(results, seed=seed)
    made = comparison_document(comparison.results, comparison.differences, study, show_text=False)
    return [made, *rows]


def _list(drawings: Mapping[str, str]) -> None:
    """The pictures that there are, by the name that --kind takes."""
    from tiltmeter.cli.console import err, out
    from tiltmeter.report.plots.export import title_of

    width = max(map(len, drawings), default=0)
    for name, drawing in drawings.items():
        out.print(f"{name.ljust(width)}  {title_of(drawing)}", markup=False, soft_wrap=True)
    err.print("Choose one with --kind NAME." if drawings else "There are no pictures.")
