"""Scores that were made elsewhere, as if a rule had made them here."""

from typing import Any

from tiltmeter.core.protocols import Named
from tiltmeter.core.results import Record
from tiltmeter.core.study import Rule


def _never(*_: object) -> list[Record]:
    raise AssertionError("stored scores are not made here")


STORED: Rule[Any] = Rule(
    "stored",
    Named,
    _never,
    "Scores as the file gives them: how they were made is not known.",
    "the file itself",
)
