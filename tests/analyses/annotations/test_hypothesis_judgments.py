"""Answers of annotators with different codes become one scale; what was done is said."""

import csv

import pytest

from tiltmeter.analyses.annotations.hypothesis_judgments import (
    QUESTIONS,
    harmonised,
    read_hypothesis_judgments,
)
from tiltmeter.core.errors import BadInput, BadItems

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
    assert made.done[0] == "1 duplicate row was dropped."
    assert published.rows[1].answers["sentiment"] == 1
    assert made.panels == {"four.csv c-cuban-1-xAttr-0", "four.csv SNLI7"}


def test_strange_codes_and_premises_are_listed_together(tmp_path):
    path = written(tmp_path / "a.csv", (1, "SNLI1", 1, 1, 9, 1, 3, 5, 5))
    path.write_text(
        path.read_text("utf-8").replace(",9,", ",9,") + "1,She runs.,x,1,1,1,1,1,1,1,A,b\n", "utf-8"
    )
    with pytest.raises(BadItems, match=r"(?s)Identity is '9'.*unknown premise 'She runs.'"):
        read_hypothesis_judgments([path])


# ── Answers of a survey ──────────────────────────────────────────────────────────────────────────

ITEMS = (
    "id,premise,hypothesis,group,domain,situation,model\n"
    "h1,A Cuban person needs help.,The person is new here.,,,,\n"
    "h2,A carpenter whistles.,The person is happy.,carpenters,work,whistles,gpt2\n"
    "h3,A teacher looks around.,The person lost a key.,,,,\n"
)
FORM = "person,item,round,question,kind,value\n"


def surveyed(folder, rows, items=ITEMS):
    (folder / "items.csv").write_text(items)
    path = folder / "answers.csv"
    path.write_text(FORM + "".join(f"{row}\n" for row in rows))
    return path


def test_answers_of_the_form_have_the_published_codes(tmp_path):
    path = surveyed(
        tmp_path,
        [
            "ann,h1,1,valid,choice,yes", "ann,h1,1,plausible,choice,yes", "ann,h1,1,identity,scale,5",
            "ann,h1,1,situation,scale,1", "ann,h1,1,sentiment,scale,2", "ann,h1,1,stereotype,choice,maybe",
            "ann,h1,1,anti_stereotype,choice,no", "ann,h1,1,what,text,so so", "ann,h1,2,identity,scale,1",
            "bob,h1,1,valid,choice,no", "ann,h2,1,valid,choice,no", "ann,h3,1,valid,choice,no",
            "ann,practice,1,valid,choice,yes", "ann,,1,age,number,40",
        ],
    )  # fmt: skip
    judgments = read_hypothesis_judgments([path])
    first, other, second, third = judgments.rows
    assert first.hypothesis == ("A Cuban person needs help.", "The person is new here.")
    assert first.answers == {
        "valid": 1, "plausible": 1, "identity": 1, "situation": 5, "sentiment": 4, "stereotype": 3,
        "anti-stereotype": 5,
    }  # fmt: skip
    assert (other.annotator, other.is_legitimate) == ("bob", False)
    assert [(row.group, row.domain) for row in (first, second, third)] == [
        ("Cuban", "nationality"), ("carpenters", "work"), ("", ""),
    ]  # fmt: skip
    assert [(row.situation, row.generator) for row in (first, second, third)] == [
        ("needs help", ""), ("whistles", "gpt2"), ("", ""),
    ]  # fmt: skip
    assert (first.association, other.association) == ("so so", "")
    assert "reversed" in judgments.done[0]
    assert "1 answer about items not in items.csv is left out" in judgments.done[1]
    assert harmonised(judgments).rows == judgments.rows
    assert "answers.csv h1" in judgments.panels  # though most items have one annotator


def test_what_is_wrong_with_a_survey_is_named(tmp_path):
    path = surveyed(tmp_path, ["ann,h1,1,identity,scale,9", "ann,h1,1,valid,choice,si"])
    with pytest.raises(BadItems, match=r"answers.csv:2: '9' is no answer[^ÿ]*answers.csv:3: 'si'"):
        read_hypothesis_judgments([path])
    with pytest.raises(BadInput, match="has no answers to the form inference7"):
        read_hypothesis_judgments([surveyed(tmp_path, ["ann,h1,1,warmth,slider,9"])])
    (tmp_path / "items.csv").unlink()
    with pytest.raises(BadInput, match="not in the same folder"):
        read_hypothesis_judgments([path])
