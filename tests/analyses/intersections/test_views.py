"""The page of intersectional groups: missing numbers, and names that are markup."""

import numpy as np

from analyses.intersections.examples import CROSSED, analysed, random_scores
from report import cells
from report.test_html import Outline


def test_missing_numbers_are_empty_not_nan(monkeypatch):
    scores = random_scores()
    scores["tall"][:, :] = np.nan
    page = analysed(monkeypatch, scores).page()
    assert "nan" not in page.lower().replace("nance", "")


def test_hostile_names_are_text_everywhere(monkeypatch):
    odd = cells.HOSTILE
    page = analysed(
        monkeypatch, random_scores(), name=odd, domains=(odd, odd, "height", "height"),
        intersectional=("tall man", odd, *list(CROSSED)[2:]),
    ).page()  # fmt: skip
    Outline(page)
    assert "<script" not in page and "\u202e" not in page
