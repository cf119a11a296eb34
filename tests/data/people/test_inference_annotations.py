"""Answers of annotators with different codes become one scale; what was done is said."""

import csv

import pytest

from tiltmeter.core.errors import BadItems
from tiltmeter.data.people.inference_annotations import (
    QUESTIONS,
    harmonised,
    read_hypothesis_judgments,
)

PREMISE = "A Cuban person needs help."


def written(path, *rows):
    """Rows of (annotator, id, the seven answers)."""
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(["", "Premise", "Hypothesis", *QUESTIONS.values(), "Annotator ID", "ID"])
        for i, (who, item, *answers) in enumerate(rows):
            out.writerow(
                [i, PREMISE, f"The person rests {item}", *answers, f"Annotator {who}", item]
            )
    return path


def test_annotator_3_is_given_the_codes_of_the_others(tmp_path):
    path = written(
        tmp_path / "four.csv",
        (1, "c-cuban-1-xAttr-0", 1, 1, 2, 1, 5, 3, 5),
        (3, "c-cuban-1-xAttr-0", 1, 1, 2, 1, 1, 2, 3),
        (3, "c-cuban-1-xAttr-0", 1, 1, 2, 1, 1, 2, 3),
        (2, "SNLI7", 1, 1, 5, 1, 3, "", ""),
        (4, "SNLI7", 1, 5, "", "", "", "", ""),
    )
    published = read_hypothesis_judgments([path])
    first, third, _, second, fourth = published.rows
    assert (first.group, first.domain, first.generator) == ("Cuban", "nationality", "COMET")
    assert second.generator == "SNLI"
    assert third.answers["sentiment"] == 1
    assert [row.is_legitimate for row in (first, fourth)] == [True, False]
    made = harmonised(published)
    first, third, second, fourth = made.rows
    assert third.answers["sentiment"] == first.answers["sentiment"] == 5
    assert (third.answers["stereotype"], third.answers["anti-stereotype"]) == (5, 5)
    assert (first.answers["stereotype"], first.answers["anti-stereotype"]) == (3, 5)
    assert second.answers["stereotype"] == 5
    assert "stereotype" not in fourth.answers
    assert made.done[0].startswith("1 rows that repeat")
    assert published.rows[1].answers["sentiment"] == 1
    assert made.panels == {"four.csv c-cuban-1-xAttr-0", "four.csv SNLI7"}


def test_strange_codes_and_premises_are_listed_together(tmp_path):
    path = written(tmp_path / "a.csv", (1, "SNLI1", 1, 1, 9, 1, 3, 5, 5))
    path.write_text(
        path.read_text("utf-8").replace(",9,", ",9,") + "1,She runs.,x,1,1,1,1,1,1,1,A,b\n", "utf-8"
    )
    with pytest.raises(BadItems, match=r"(?s)Identity is '9'.*unknown premise 'She runs.'"):
        read_hypothesis_judgments([path])
