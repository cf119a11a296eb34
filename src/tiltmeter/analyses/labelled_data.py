"""labelled-data: how many texts data sets of labelled texts have, and how many of these are positive."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from tiltmeter.core.analysis import (
    Analysis,
    Circumstances,
    Input,
    Numbers,
    digest,
    finish,
    once,
    paragraphs,
)
from tiltmeter.core.analysis_views import NumberColumn, NumberTable
from tiltmeter.core.errors import BadInput, Unavailable
from tiltmeter.core.options import CheckedOptions, Encoding, Option, SkipInvalid
from tiltmeter.core.quantity import quantity
from tiltmeter.core.results import Estimate, Note, Paragraph, Result
from tiltmeter.core.text import counted
from tiltmeter.data.texts.labelled_rows import LabelledRows, read_labelled
from tiltmeter.data.texts.labelled_texts import positives
from tiltmeter.report.text import value_with_unit
from tiltmeter.run.monitor import Monitor

SET = "set"
"""The axis whose values are data sets."""
SETS = quantity("sets", "Data sets read", counts="data sets", decimals=0)
TEXTS = quantity("texts", "Texts", counts="texts", decimals=0)
POSITIVE = quantity("positive_share", "Positive texts", "Positive", counts="texts", unit="%")
REPEATED = quantity(
    "repeated_texts", "Texts that repeat an earlier one", "Repeated", counts="texts", decimals=0
)


@dataclass(frozen=True, slots=True)
class LabelledDataOptions(CheckedOptions):
    """The options of `tiltmeter labelled-data`."""

    positive: Annotated[
        str,
        Option(
            "Labels that count as positive, with + between them (default: each set’s own).",
            metavar="LABEL",
        ),
    ] = ""
    encoding: Encoding = ""
    skip_invalid: SkipInvalid = False


def compute(inputs: Sequence[Input], options: LabelledDataOptions, monitor: Monitor) -> Result:
    """Count the texts of registered sets and of tables with `text` and `label`."""
    names = [str(given) for given in inputs if not isinstance(given, Result)]
    if len(names) < len(inputs):
        raise BadInput("a result was given for data", "name data sets or files")
    once(names)
    estimates: list[Estimate] = []
    sums: list[str] = []
    notes: list[Note] = []
    for given in names:
        try:
            source = Path(given) if Path(given).is_file() else given
            rows = read_labelled(
                source, "", skip_invalid=options.skip_invalid, encoding=options.encoding
            )
        except Unavailable as absent:
            monitor.warning(str(absent), about=given)
            estimates.append(TEXTS.at(None, why="not on this computer", groups={SET: given}))
            continue
        sums.append(rows.about.sha256)
        notes += rows.about.notes
        monitor.left_out(rows.about.invalid)
        estimates += _counts(rows, positives(rows, options.positive, "--positive LABEL"))
    settings = {"positive": options.positive} if options.positive else {}
    about = {"name": ", ".join(names), "sha256": digest(*sums, settings)}
    return finish(
        ANALYSIS,
        [SETS.at(len(sums), n=len(names)), *estimates],
        Circumstances(about, subtitle=", ".join(names), settings=settings, notes=notes),
    )


def _counts(rows: LabelledRows, positive: Sequence[str]) -> Iterator[Estimate]:
    n, at = len(rows.rows), {SET: rows.about.name}
    hits = sum(row.label in positive for row in rows.rows)
    yield TEXTS.at(n, n=n, groups=at)
    yield (
        POSITIVE.at(100 * hits / n, n=n, groups=at)
        if positive
        else POSITIVE.at(None, n=n, groups=at, why="its labels are on a par")
    )
    yield REPEATED.at(n - len({row.text for row in rows.rows}), n=n, groups=at)


def words(numbers: Numbers) -> list[Paragraph]:
    """How many sets were read, and between which shares of positive texts they lie."""
    known = sorted(
        (e for e in numbers.all(POSITIVE) if e.value is not None), key=lambda e: e.value or 0
    )
    shares = dict.fromkeys(value_with_unit(e) for e in (*known[:1], *known[-1:]))
    of = f": {' to '.join(shares)} of their texts are positive" if shares else ""
    return paragraphs([f"{counted(int(numbers[SETS].value or 0), 'data sets')} read{of}."])


ANALYSIS = Analysis(
    "labelled_data",
    "Data sets of labelled texts",
    "Sizes of data sets of labelled texts, and their shares of positive texts.",
    "1",
    "Elsafoury 2023, section 6, doi:10.48550/arXiv.2308.10684",
    "Precision and F1 depend on the share of positive texts.",
    "Whether the labels are right, or whom the texts are about.",
    (SETS, TEXTS, POSITIVE, REPEATED),
    (
        NumberTable(
            "sets", "Texts by data set", (SET,),
            (NumberColumn(TEXTS.name), NumberColumn(POSITIVE.name), NumberColumn(REPEATED.name, drop=1)),
        ),
    ),
    compute,
    LabelledDataOptions,
    "Data sets, or tables with `text` and `label`",
    "DATA…",
    words=words,
)  # fmt: skip
