"""The options that say which of people's answers count, declared once for all analyses of answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from tiltmeter.core.reading.named_values import columns_given
from tiltmeter.core.reading.options import CheckedOptions, Option


def mark_name(text: str) -> str:
    """The name of a mark as it is compared.

    >>> mark_name(" too  fast ")
    'too_fast'
    """
    return "_".join(text.split())


def marks_given(text: str | None) -> tuple[str, ...]:
    """Parse what `--without` and `--only` list, separated by commas.

    >>> marks_given("speed, too fast"), marks_given(None)
    (('speed', 'too_fast'), ())
    """
    return tuple(filter(None, map(mark_name, (text or "").split(","))))


AnswerColumns = Annotated[
    Mapping[str, str],
    Option(
        "The column of your answers, or the question of an export, for a field; COLUMN:OLD=NEW,… maps its "
        "values.",
        name="map",
        metavar="FIELD=COLUMN",
        parse=columns_given,
    ),
]


@dataclass(frozen=True, slots=True)
class ChoiceOptions(CheckedOptions):
    """The options of every analysis of people's answers: which answers count."""

    without: Annotated[
        tuple[str, ...],
        Option(
            "Leave out answers with these marks (a survey's checks), separated by commas; the main numbers "
            "are also given for all answers.",
            metavar="MARK[,MARK]",
            parse=marks_given,
            typed=str,
        ),
    ] = ()
    only: Annotated[
        tuple[str, ...],
        Option(
            "Only answers with any of these marks.",
            metavar="MARK[,MARK]",
            parse=marks_given,
            typed=str,
        ),
    ] = ()
    participants: Annotated[
        Path | None,
        Option(
            "Table of people, with a column person or annotator: only their answers count. Its marks are "
            "theirs: annotators_overall.csv of agreement has some.",
            metavar="FILE",
            file=True,
        ),
    ] = None
