"""The published replies of GPT-3 on texts of ETHOS, read for tests."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from support.published import need
from tiltmeter.core.types import Array, Labels
from tiltmeter.scoring.written_answers import contained

YES_NO = ("yes", "no")


def rows_of(name: str) -> list[Mapping[str, str]]:
    """The rows of a file of that folder; the test is skipped where it is not there."""
    with need(f"gpt3_hate/{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def text_of(row: Mapping[str, str]) -> str:
    """The text that a prompt asks about."""
    return row["prompt"].split('"', 1)[1].rsplit('"', 1)[0]


def answer(row: Mapping[str, str]) -> float:
    """1 for yes, 0 for no, -1 for neither, as the published code reads it."""
    return {0: 1.0, 1: 0.0, -1: -1.0}[contained(row["answer"], YES_NO).option]


@dataclass(frozen=True)
class ZeroShot:
    """12,000 replies: 100 repeats of 60 texts in each of two categories."""

    truth: Array
    said: Array
    repeat: Array
    text: Labels
    category: Labels

    def of(self, category: str) -> "ZeroShot":
        """Those of one category; of both for "overall"."""
        kept = (self.category == category) | (category == "overall")
        columns = (self.truth, self.said, self.repeat, self.text, self.category)
        return ZeroShot(*(column[kept] for column in columns))


@cache
def zero_shot() -> ZeroShot:
    """All of them."""
    rows = rows_of("zero_shot_results_multiple")
    return ZeroShot(
        np.array([float(row["label"] == row["category"]) for row in rows]),
        np.array([answer(row) for row in rows]),
        np.arange(len(rows)) // 120.0,
        np.array([text_of(row) for row in rows]),
        np.array([row["category"] for row in rows]),
    )
