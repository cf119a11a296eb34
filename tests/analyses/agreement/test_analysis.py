"""`tiltmeter analyse agreement`: from a table of answers to what is said, shown and kept."""

import csv
import json
import random

import pytest

import tiltmeter as tm
from tiltmeter.core.analysis import Numbers
from tiltmeter.core.errors import BadInput, UnknownName

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
        "analyse",
        "agreement",
        answers,
        "--question",
        "tone",
        "--question",
        "fits",
        "--out",
        tmp_path / "r",
    )
    assert code == 0
    text = " ".join(printed.split())
    assert (
        "<b>cy uses a reversed scale for tone: correlation with the mean of the others r = −0.9"
        in text
    )
    assert "<b>cy reversed" in text
    assert "without <b>cy" in text
    (folder,) = (tmp_path / "r").iterdir()
    page = (folder / "report.html").read_text("utf-8")
    assert "<b>cy" not in page
    assert "tiltmeter analyse agreement" in page
    rows = list(csv.DictReader((folder / "questions.csv").read_text("utf-8").splitlines()))
    assert [row["question"] for row in rows] == ["tone", "fits"]
    assert float(rows[1]["alpha"]) == 1
    assert float(rows[1]["all_agree"]) == 100
    checks = list(csv.DictReader((folder / "annotators.csv").read_text("utf-8").splitlines()))
    assert {row["annotator"]: row["scale_r_verdict"] for row in checks} == {
        "<b>cy": "reversed", "ann": "", "bo": "",
    }  # fmt: skip
    both = list(csv.DictReader((folder / "reversed.csv").read_text("utf-8").splitlines()))
    assert [row["change"] for row in both] == [
        "as given", "with <b>cy reversed", "without <b>cy",
    ]  # fmt: skip
    assert float(both[0]["alpha"]) < 0
    assert float(both[1]["alpha"]) > 0.7


def test_the_same_command_gives_the_same_object(tilt, answers, tmp_path):
    once, twice = (
        tilt(
            "analyse",
            "agreement",
            answers,
            "--question",
            "tone",
            "--json",
            "--out",
            tmp_path / name,
        )[1]
        for name in ("a", "b")
    )
    one, other = json.loads(once), json.loads(twice)
    assert one["estimates"] == other["estimates"]
    assert one["card"]["settings"]["levels"] == "tone ordinal"


def test_nothing_reversed_is_said_too(tilt, answers, tmp_path):
    rows = [row for row in answers.read_text("utf-8").splitlines() if "cy" not in row]
    answers.write_text("\n".join(rows) + "\n", "utf-8")
    code, printed, _ = tilt(
        "analyse", "agreement", answers, "--question", "tone", "--out", tmp_path / "r"
    )
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
    code, _, errors = tilt("analyse", "agreement", answers, *options, "--out", tmp_path / "r")
    assert code == 2
    assert says in " ".join(errors.split())


def test_the_answers_of_a_survey_are_read_as_they_are_exported(tilt, tmp_path):
    rng = random.Random(2)
    lines = ["person,item,round,page,question,kind,value"]
    lines += ["p0,i0,1,check,often,attention,never"]
    for item in range(30):
        truth = rng.choice("ab")
        lines += [
            f"p{n},i{item},1,judge,label,choice,{truth if n or item % 5 else 'a'}" for n in range(3)
        ]
        lines += [f"p0,i{item},1,judge,why,text,because", f"p0,i{item},2,judge,label,choice,c"]
    (tmp_path / "answers.csv").write_text("\n".join([*lines, ",,1,end,age,choice,60+"]) + "\n")
    code, printed, errors = tilt("analyse", "agreement", "answers.csv", "--json")
    assert code == 0, errors
    found = {
        (e["name"], *e["groups"].values()): e["value"] for e in json.loads(printed)["estimates"]
    }
    assert (found["panel", "label"], found["m", "label"]) == (3, 2)
    assert found["m_of_n_agree", "label"] == 100
    assert found["accuracy", "label", "p1"] == pytest.approx(100)
    assert found["accuracy", "label", "p0"] < 100
    assert sum(v for (name, *_), v in found.items() if name == "true_share") == pytest.approx(100)
    code, printed, _ = tilt("analyse", "agreement", "answers.csv", "--agree", "3")
    assert code == 0 and "written answers are left out: why." in printed
    assert "Questions that test attention are left out: often." in printed
    code, _, errors = tilt("analyse", "agreement", "answers.csv", "--agree", "4")
    assert code == 2 and "4 of 3 answers cannot agree" in errors
    two = [line for line in lines if not line.startswith("p2")]
    (tmp_path / "two.csv").write_text("\n".join(two) + "\n")
    code, printed, _ = tilt("analyse", "agreement", "two.csv")
    assert code == 0 and "not identified: no item has three ratings" in " ".join(printed.split())


WORDS = ("low", "medium", "high")


@pytest.fixture
def tones(tmp_path):
    """Three annotators on ten items: the same answers in words and in numbers."""

    def write(words, name):
        told = {"ann": "1122331231", "bo": "1223331221", "cy": "2123321331"}
        rows = [
            f"{who},i{item},{words[int(place) - 1]}"
            for who, places in told.items()
            for item, place in enumerate(places)
        ]
        path = tmp_path / name
        path.write_text("annotator,item,tone\n" + "\n".join(rows) + "\n", "utf-8")
        return path

    return write


def measured(path, **options):
    """The result of agreement on all questions that are named."""
    made = tm.analyse.agreement(path, **options).result
    return Numbers(made.card, made.estimates)


def alpha_of(result):
    return round(result.get("alpha", question="tone").value, 2)


def test_words_in_a_declared_order_have_the_alpha_of_numbers(tones):
    words, numbers = tones(WORDS, "words.csv"), tones("123", "numbers.csv")
    ordinal = measured(numbers, question=["tone"])
    assert alpha_of(ordinal) == 0.71
    assert alpha_of(measured(words, question=["tone"])) == 0.42
    ordered = measured(words, question=["tone"], order=["low,medium,high"])
    assert alpha_of(ordered) == 0.71
    assert ordered.card.settings["levels"] == "tone ordinal"
    for name in ("gwet", "scale_r"):
        pairs = zip(ordinal.all(name), ordered.all(name), strict=True)
        assert all(one.value == pytest.approx(other.value) for one, other in pairs)
    leading = tones(("1 - low", "2 - medium", "3 - high"), "leading.csv")
    assert alpha_of(measured(leading, question=["tone"])) == 0.71
    upper = tones(("Low", "MEDIUM", "high"), "upper.csv")
    folded = measured(upper, question=["tone"], order=["low,medium,high"], fold_case=True)
    assert alpha_of(folded) == 0.71


def test_an_ordinal_level_for_words_asks_for_their_order(tilt, tones, tmp_path):
    path = tones(WORDS, "words.csv")
    asked = ("analyse", "agreement", path, "--question", "tone", "--out", tmp_path / "r")
    code, _, said = tilt(*asked, "--level", "ordinal")
    assert code == 2
    assert "--order" in said
    code, _, said = tilt(*asked, "--order", "low,high")
    assert code == 2
    assert "'medium' is not among the declared answers low, high" in said
    code, _, said = tilt(*asked, "--order", "low,medium,high", "--categories", "low,medium,high")
    assert code == 2
    assert "declared twice" in said


def test_categories_that_nobody_chose_raise_gwets_coefficient(tmp_path):
    path = tmp_path / "a.csv"
    rows = [("a", "w", 1), ("b", "w", 1), ("a", "x", 1), ("b", "x", 1), ("a", "y", 1), ("b", "y", 1),
            ("a", "z", 1), ("b", "z", 2)]  # fmt: skip
    path.write_text("annotator,item,q\n" + "".join(f"{w},{i},{v}\n" for w, i, v in rows), "utf-8")

    def gwet(**options):
        return (
            measured(path, question=["q"], level="nominal", **options)
            .get("gwet", question="q")
            .value
        )

    assert gwet() == pytest.approx(0.68)  # p = .75, e = 2 · 7/8 · 1/8
    declared = (0.75 - 0.21875 / 4) / (1 - 0.21875 / 4)
    assert gwet(categories=["1,2,3,4,5"]) == pytest.approx(declared)
    assert gwet(categories=["q=1,2,3,4,5"]) == gwet(scale="1-5") == gwet(scale="1:5")
    assert gwet(categories=["1,2,3,4,5"]) == pytest.approx(declared)


@pytest.mark.parametrize(
    ("given", "refusal"),
    [
        ({"scale": "0:100"}, "scale 0:100 has no effect on these answers"),
        ({"scale": "1.5:5"}, "scale 1.5:5 has no effect on these answers"),
        ({"categories": ["tone=1,2,3"]}, "No question named 'tone'"),
        ({"order": ["tone=1,2,3"]}, "No question named 'tone'"),
    ],
)
def test_a_scale_without_effect_is_refused(tmp_path, given, refusal):
    path = tmp_path / "a.csv"
    path.write_text("annotator,item,q\na,w,1\nb,w,2\na,x,3\nb,x,3\n", "utf-8")
    with pytest.raises((BadInput, UnknownName), match=refusal):
        measured(path, question=["q"], **given)


@pytest.mark.parametrize("given", [{"categories": ["1,2,3"]}, {"order": ["q=1,2,3"]}])
def test_answers_declared_for_single_ratings_are_refused(tmp_path, given):
    path = tmp_path / "ratings.csv"
    rows = [f"{who},{group},cold-warm,{n}" for n, who in enumerate("ab") for group in "xyz"]
    path.write_text("\n".join(["annotator,group,pair,rating", *rows]), "utf-8")
    with pytest.raises(BadInput, match="categories and order have no effect on them"):
        measured(path, **given)
    assert measured(path, scale="0:1").card.data["annotators"] == 2


def test_an_answer_none_that_is_declared_is_an_answer(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(
        "annotator,item,q\na,x,None\nb,x,None\na,y,Some\nb,y,None\na,z,Some\nb,z,Some\n", "utf-8"
    )
    read = measured(path, question=["q"])
    assert "3 cells were read as missing ('None' 3" in " ".join(
        note.text for note in read.card.notes
    )
    kept = measured(path, question=["q"], categories=["None,Some"])
    assert kept.get("pairs_agree", question="q").value == pytest.approx(200 / 3)
