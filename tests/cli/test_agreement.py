"""`tiltmeter agreement`: from a table of answers to the document and its files."""

import csv
import json
import random

import pytest

HEAD = "annotator,item,tone,fits\n"


@pytest.fixture
def answers(tmp_path):
    """Three annotators on a five-level scale; <b>cy turned it round."""
    rng = random.Random(1)
    rows = []
    for item in range(40):
        truth = rng.randint(1, 5)
        for who in ("ann", "bo", "<b>cy"):
            level = min(5, max(1, truth + rng.choice((-1, 0, 0, 0, 1))))
            tone = 6 - level if who == "<b>cy" else level
            rows.append(f"{who},i{item},{tone},{'yes' if truth > 2 else 'no'}")
    path = tmp_path / "answers.csv"
    path.write_text(HEAD + "\n".join(rows) + "\n", "utf-8")
    return path


def test_a_reversed_scale_is_the_news(tilt, answers, tmp_path):
    code, printed, _ = tilt(
        "agreement", answers, "--question", "tone", "--question", "fits", "--out", tmp_path / "r"
    )
    assert code == 0
    text = " ".join(printed.split())
    assert (
        "<b>cy answers tone on a reversed scale: correlation with the mean of the others r = −0.9"
        in text
    )
    assert "<b>cy turned round" in text
    assert "without <b>cy" in text
    (folder,) = (tmp_path / "r").iterdir()
    page = (folder / "report.html").read_text("utf-8")
    assert "<b>cy" not in page
    assert "tiltmeter agreement" in page
    rows = list(csv.DictReader((folder / "questions.csv").read_text("utf-8").splitlines()))
    assert [row["question"] for row in rows] == ["tone", "fits"]
    assert float(rows[1]["alpha"]) == 1
    assert float(rows[1]["all_agree"]) == 100
    checks = list(csv.DictReader((folder / "annotators.csv").read_text("utf-8").splitlines()))
    assert [row["mark"] for row in checks] == ["reversed", "", ""]
    assert len(checks) == 3  # the answers to `fits` are words
    both = json.loads((folder / "agreement.json").read_text("utf-8"))["reversed"]["rows"]
    assert [row["change"] for row in both] == [None, "with <b>cy turned round", "without <b>cy"]
    assert both[0]["alpha"] < 0
    assert both[1]["alpha"] > 0.7


def test_the_same_command_gives_the_same_object(tilt, answers, tmp_path):
    once, twice = (
        tilt("agreement", answers, "--question", "tone", "--json", "--out", tmp_path / name)[1]
        for name in ("a", "b")
    )
    assert once == twice
    assert json.loads(once)["questions"]["rows"][0]["level"] == "ordinal"


def test_nothing_reversed_is_said_too(tilt, answers, tmp_path):
    rows = [row for row in answers.read_text("utf-8").splitlines() if "cy" not in row]
    answers.write_text("\n".join(rows) + "\n", "utf-8")
    code, printed, _ = tilt("agreement", answers, "--question", "tone", "--out", tmp_path / "r")
    assert code == 0
    assert "No annotator’s scale is reversed." in printed


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ((), "name columns with --question: 'tone', 'fits'"),
        (("--question", "tome"), "did you mean"),
        (("--question", "fits", "--level", "interval"), "answers that are not numbers"),
    ],
)
def test_bad_usage_ends_with_two_and_a_way_out(tilt, answers, tmp_path, options, says):
    code, _, errors = tilt("agreement", answers, *options, "--out", tmp_path / "r")
    assert code == 2
    assert says in " ".join(errors.split())


def test_the_answers_of_a_survey_are_read_as_they_are_exported(tilt, tmp_path):
    rng = random.Random(2)
    lines = ["person,item,round,page,question,kind,value"]
    for item in range(30):
        truth = rng.choice("ab")
        lines += [
            f"p{n},i{item},1,judge,label,choice,{truth if n or item % 5 else 'a'}" for n in range(3)
        ]
        lines += [f"p0,i{item},1,judge,why,text,because", f"p0,i{item},2,judge,label,choice,c"]
    (tmp_path / "answers.csv").write_text("\n".join([*lines, ",,1,end,age,choice,60+"]) + "\n")
    code, printed, errors = tilt("agreement", "answers.csv", "--json")
    assert code == 0, errors
    found = json.loads(printed)
    (row,) = found["questions"]["rows"]
    assert (row["question"], row["raters"], row["panels"], row["m"]) == ("label", 3, 30, 2)
    assert row["m_of_n_agree"] == 100
    accuracy = {one["annotator"]: one["accuracy"] for one in found["accuracy"]["rows"]}
    assert accuracy["p1"] == pytest.approx(100)
    assert accuracy["p0"] < 100
    shares = {one["label"]: one["estimated_true"] for one in found["labels"]["rows"]}
    assert sum(shares.values()) == pytest.approx(100)
    code, printed, _ = tilt("agreement", "answers.csv", "--agree", "3")
    assert code == 0 and "written answers are left out: why" in printed
    code, _, errors = tilt("agreement", "answers.csv", "--agree", "4")
    assert code == 2 and "4 of 3 answers cannot agree" in errors
    two = [line for line in lines if not line.startswith("p2")]
    (tmp_path / "two.csv").write_text("\n".join(two) + "\n")
    code, printed, _ = tilt("agreement", "two.csv")
    assert code == 0 and "not identified: no item has three ratings" in " ".join(printed.split())
