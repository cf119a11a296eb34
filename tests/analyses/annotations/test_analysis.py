"""`tiltmeter analyse annotations`: from the published layout to the document and its files."""

import csv
import json
import random

import pytest

from tiltmeter.analyses.annotations.hypothesis_judgments import QUESTIONS

GROUPS = ("Cuban person", "Irish person", "man", "woman", "poor person", "refugee")


@pytest.fixture
def judged(tmp_path):
    """Four annotators judge thirty hypotheses; the third turns the sentiment round."""
    rng = random.Random(2)
    path = tmp_path / "four.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(["", "Premise", "Hypothesis", *QUESTIONS.values(), "Annotator ID", "ID"])
        for item in range(30):
            label, mood = GROUPS[item % len(GROUPS)], rng.randint(1, 5)
            for who in (1, 2, 3, 4):
                felt = min(5, max(1, mood + rng.choice((-1, 0, 0, 1))))
                answers = [1, 1, rng.choice((1, 5)), 1, 6 - felt if who == 3 else felt]
                last = [2 if who == 3 else 5, 3 if who == 3 else 5]
                out.writerow(["", f"A {label} needs help.", f"<b>It {item}", *answers, *last,
                              f"Annotator {who}", f"SNLI{item}"])  # fmt: skip
    return path


def test_the_reversal_is_the_news_and_the_card_says_what_was_done(tilt, judged, tmp_path):
    code, printed, _ = tilt("analyse", "annotations", judged, "--out", tmp_path / "r")
    text = " ".join(printed.split())
    assert code == 0
    assert "120 judgments of 30 hypotheses" in text
    assert "Annotator 3 used the scale of sentiment the other way round" in text
    assert "30 answers of Annotator 3 were reversed" in text or "reversed, so that 1" in text
    (folder,) = (tmp_path / "r").iterdir()
    assert "tiltmeter analyse annotations" in (folder / "report.html").read_text("utf-8")
    rows = list(csv.DictReader((folder / "by-domain.csv").read_text("utf-8").splitlines()))
    assert {row["domain"] for row in rows} == {"nationality", "gender", "socioeconomic status"}
    assert float(rows[0]["based_on_identity_low"]) <= float(rows[0]["based_on_identity"])


def test_agreement_of_four_is_not_mentioned_where_three_judged(tilt, judged, tmp_path):
    lines = judged.read_text("utf-8").splitlines(keepends=True)
    judged.write_text("".join(line for line in lines if "Annotator 4" not in line), "utf-8")
    _, printed, _ = tilt("analyse", "annotations", judged, "--out", tmp_path / "r")
    assert "It is reversed here." in " ".join(printed.split())
    assert "undefined of hypotheses" not in printed


def test_one_object_for_machines_and_no_such_convention(tilt, judged, tmp_path):
    def alpha(*options):
        result = json.loads(
            tilt("analyse", "annotations", judged, "--json", "--out", tmp_path / "r", *options)[1]
        )
        found = [e for e in result["estimates"] if e["name"] == "alpha"]
        return next(e["value"] for e in found if e["groups"] == {"question": "sentiment"})

    assert alpha() > 0.5 > alpha("--convention", "sotnikova2021")
    code, _, said = tilt("analyse", "annotations", judged, "--convention", "raw")
    assert (code, "sotnikova2021" in said) == (2, True)


def test_a_survey_goes_from_its_form_to_the_analysis(tilt, tmp_path):
    items, database, folder = (tmp_path / name for name in ("items.csv", "s.db", "export"))
    lines = (f"h{i},A {GROUPS[i % 6]} needs help.,The person waits {i}.\n" for i in range(12))
    items.write_text("id,premise,hypothesis\n" + "".join(lines))
    bots = ("survey", "bots", "inference7", "--items", items, "--count", "4")
    assert tilt(*bots, "--database", database)[0] == 0
    assert tilt("survey", "export", "--bots", "--database", database, "--out", folder)[0] == 0
    answers = folder / "answers.csv"
    code, printed, err = tilt("analyse", "annotations", answers, "--json", "--out", tmp_path / "r")
    assert code == 0, err
    estimates = json.loads(printed)["estimates"]
    value = {e["name"]: e for e in estimates if not e["groups"]}
    by_question = {}
    for row in csv.DictReader(answers.read_text("utf-8").splitlines()):
        by_question.setdefault(row["question"], []).append(row["value"])
    judgments, good = len(by_question["valid"]), by_question["plausible"].count("yes")
    assert value["not_valid_or_not_plausible"]["n"] == judgments == 48
    assert value["not_valid_or_not_plausible"]["value"] == pytest.approx(100 - 100 * good / 48)
    based = sum(answer in {"4", "5"} for answer in by_question["identity"])  # maybe yes, yes
    assert value["based_on_identity"]["value"] == pytest.approx(100 * based / good)
    negative = sum(answer in {"1", "2"} for answer in by_question["sentiment"])
    assert value["negative"]["value"] == pytest.approx(100 * negative / good)
    assert {e["groups"]["domain"] for e in estimates if "domain" in e["groups"]} == {
        "nationality", "gender", "socioeconomic status",
    }  # fmt: skip
    (made,) = (tmp_path / "r").iterdir()
    evoked = list(csv.DictReader((made / "associations.csv").read_text("utf-8").splitlines()))
    assert sum(float(row["answers"]) for row in evoked) == len([*filter(None, by_question["what"])])
