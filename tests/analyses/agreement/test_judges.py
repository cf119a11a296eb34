"""`analyse agreement --judge` and `--by`: from tables, files and judges to what is said and kept."""

import csv
import json
import random

import pytest

import tiltmeter as tm
from support import published
from tiltmeter.core.errors import BadInput


@pytest.fixture
def answers(tmp_path):
    """Six women and six men label 40 texts, four on each side; the judge is as the women are."""
    rng = random.Random(3)
    people = [(f"w{i}", "woman") for i in range(6)] + [(f"m{i}", "man") for i in range(6)]
    rows = []
    for item in range(40):
        toxic = rng.random() < 0.5
        for sex in ("woman", "man"):
            right = 0.95 if sex == "woman" else 0.5
            for who, gender in rng.sample([p for p in people if p[1] == sex], 5):
                label = toxic if rng.random() < right else not toxic
                rows.append((who, item, gender, "toxic" if label else "fine", f"text {item}"))
        rows.append(("gpt", item, "", "toxic" if toxic else "fine", f"text {item}"))
    path = tmp_path / "answers.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("annotator", "item", "gender", "label", "text"), *rows])
    return path


def test_a_judge_of_the_table_passes_and_agrees_more_with_women(tilt, answers, tmp_path):
    code, printed, err = tilt(
        "analyse", "agreement", answers, "--question", "label", "--judge", "gpt", "--by", "gender", "--all",
        "--out", tmp_path / "r",
    )  # fmt: skip
    assert code == 0, err
    text = " ".join(printed.split())
    assert "12 annotators, 40 items" in text
    assert (
        "gpt passes the alternative annotator test at ε = 0.1: ω = 1.00 (12 of 12 annotators)"
        in text
    )
    assert "gpt agrees less with gender man than with the others: −4" in text
    assert "for people like these" in text
    (folder,) = (tmp_path / "r").iterdir()
    rows = list(csv.DictReader((folder / "judge_groups.csv").read_text("utf-8").splitlines()))
    assert [row["group"] for row in rows] == ["man", "woman"]
    for name in ("judges", "judge_annotators", "judge_errors", "within_groups", "between_groups"):
        assert (folder / f"{name}.csv").is_file(), name


def test_a_file_beside_the_table_is_found_and_says_the_same(answers, tmp_path):
    rows = answers.read_text("utf-8").splitlines()
    alone, rest = tmp_path / "rest.csv", tmp_path / "judge.csv"
    alone.write_text("\n".join(r for r in rows if not r.startswith("gpt")), "utf-8")
    rest.write_text("\n".join(r for r in rows if r.startswith(("gpt", "annotator"))), "utf-8")
    made = [
        tm.analyse.agreement(table, question=["label"], judge=[judge])
        for table, judge in ((answers, "gpt"), (alone, "judge.csv"))
    ]
    one, other = (
        {(e.name, *e.groups.values()): e.value for e in result.estimates if "judge" in e.groups}
        for result in made
    )
    assert one == other
    assert len(one) > 20


def test_a_judge_that_reads_texts_is_asked(answers, tmp_path):
    labels = tmp_path / "labels.csv"
    said = [f"text {item},{'toxic' if item % 2 else 'fine'}" for item in range(40)]
    labels.write_text("text,label\n" + "\n".join(said), "utf-8")
    result = tm.analyse.agreement(
        answers, question=["label"], judge=["gpt", f"people:{labels}"], text_column="text"
    )
    judges = {e.groups["judge"]: e for e in result.estimates if e.name == "winning_rate"}
    assert judges.keys() == {"gpt", f"people:{labels}"}
    assert judges[f"people:{labels}"].verdict == "failed"


def test_what_is_no_judge_is_refused_with_the_way_out(answers, tmp_path):
    with pytest.raises(
        BadInput, match=r"neither an annotator of answers\.csv nor a file nor a judge"
    ):
        tm.analyse.agreement(answers, question=["label"], judge=["gtp"])
    with pytest.raises(BadInput, match="reads texts"):
        tm.analyse.agreement(answers, question=["label"], judge=["words:list.txt"])
    twice = tmp_path / "twice.csv"
    twice.write_text("annotator,item,label\ngpt,1,toxic\n", "utf-8")
    with pytest.raises(BadInput, match="two judges are called 'gpt'"):
        tm.analyse.agreement(answers, question=["label"], judge=["gpt", str(twice)])
    alike = tmp_path / "alike.csv"
    alike.write_text("annotator,item,label,sex\na,1,x,f\nb,1,y,f\n", "utf-8")
    with pytest.raises(BadInput, match="'sex' does not divide the annotators: all are 'f'"):
        tm.analyse.agreement(alike, question=["label"], by=[("sex",)])


def test_published_layout_end_to_end(tilt, tmp_path):
    """Two made-up files in the layout of the authors, numbers and a judge without some answers."""
    rng = random.Random(5)
    stars = {f"i{n}": rng.randint(1, 5) for n in range(45)}
    people = {
        w: {i: min(5, max(1, s + rng.choice((-1, 0, 0, 1)))) for i, s in stars.items()}
        for w in ("w1", "w2", "w3")
    }
    people["w4"] = {i: stars[i] for i in list(stars)[:20]}
    models = {"good": dict(list(stars.items())[:40]), "bad": dict.fromkeys(stars, 1)}
    (tmp_path / "people.json").write_text(json.dumps(people), "utf-8")
    (tmp_path / "models.json").write_text(json.dumps(models, indent=1), "utf-8")
    code, printed, err = tilt(
        "analyse", "agreement", tmp_path / "people.json", "--judge", "models.json", "--epsilon", ".2",
        "--all", "--out", tmp_path / "r",
    )  # fmt: skip
    assert code == 0, err
    text = " ".join(printed.split())
    assert (
        "good passes the alternative annotator test at ε = 0.2: ω = 1.00 (3 of 3 annotators)"
        in text
    )
    assert "bad does not pass the alternative annotator test at ε = 0.2: ω = 0.00" in text
    assert "good has no answer to 5 of 45 items, which are left out" in text
    assert "1 of 4 annotators shares fewer than 30 items with others" in text


def test_published_results_come_out():
    folder = published.need("alt_test/wax/human_annotations.json").parents[1]
    for row in csv.DictReader((folder / "published.csv").read_text("utf-8").splitlines()):
        if row["model"] != "gpt-4o" or row["set"] not in {"wax", "lesion"}:
            continue
        result = tm.analyse.agreement(
            folder / row["set"] / "human_annotations.json", judge=["llm_annotations.json"],
            epsilon=float(row["epsilon"]),
        )  # fmt: skip
        (rate,) = [
            e
            for e in result.estimates
            if e.name == "winning_rate" and e.groups["judge"] == "gpt-4o"
        ]
        assert f"{rate.value:.2f}" == row["winning_rate"]
        assert rate.verdict == row["verdict"].lower()
