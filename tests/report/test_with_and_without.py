"""Analyses of answers with some left out: the numbers are those of a smaller table, and both are shown."""

import csv

import numpy as np
import pytest

import tiltmeter as tm
from tiltmeter.core.errors import BadInput

GROUPS, PAIRS = (
    ("women", "bakers", "nurses", "miners"),
    ("cold - warm", "poor - rich", "weak - strong"),
)


@pytest.fixture
def ratings(tmp_path):
    """Ratings of eight people, of whom the last two are marked and answer at random, and those of six."""
    rng = np.random.default_rng(0)
    truth = rng.uniform(10, 90, (len(GROUPS), len(PAIRS)))
    rows = []
    for person in range(8):
        for g, group in enumerate(GROUPS):
            for p, pair in enumerate(PAIRS):
                value = (
                    rng.uniform(0, 100)
                    if person > 5
                    else np.clip(truth[g, p] + rng.normal(0, 8), 0, 100)
                )
                rows.append((f"p{person}", group, pair, round(value), int(person > 5)))
    files = [tmp_path / "all.csv", tmp_path / "kept.csv"]
    for path, kept in zip(files, (rows, [row for row in rows if not row[-1]]), strict=True):
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(("annotator", "group", "pair", "rating", "mark_speed"))
            writer.writerows(kept)
    return files


@pytest.fixture
def matrix(tmp_path):
    rng = np.random.default_rng(1)
    lines = [f"{g},{p},{rng.normal():.3f}" for g in GROUPS for p in PAIRS]
    (tmp_path / "mine.csv").write_text("\n".join(("group,pair,value", *lines)), "utf-8")
    return tmp_path / "mine.csv"


def values(result, name):
    return {tuple(sorted(e.groups.items())): e.value for e in result.estimates if e.name == name
            and "answers" not in e.groups}  # fmt: skip


def both(result, name):
    return {e.groups["answers"]: e.value for e in result.estimates
            if e.name == name and [*e.groups] == ["answers"]}  # fmt: skip


def test_ratings_without_marked_answers_are_those_of_the_others(ratings):
    every, kept = (tm.analyse.ratings(path) for path in ratings)
    result = tm.analyse.ratings(ratings[0], without=("speed",))
    assert (
        values(result, "mean_rating") == values(kept, "mean_rating") != values(every, "mean_rating")
    )
    texts = [paragraph.text for paragraph in result.card.finding]
    assert "Left out: 24 of 96 answers, and with them 2 of 8 people." in texts
    assert any("leaving them out changes 12 values by" in text for text in texts)
    assert [note.text for note in result.card.notes] == ["Answers marked speed (24) are left out."]
    assert result.card.settings["without"] == "speed"


def test_agreement_shows_alpha_both_ways(ratings):
    every, kept = (tm.analyse.agreement(path) for path in ratings)
    result = tm.analyse.agreement(ratings[0], without=("speed",))
    question = (("question", PAIRS[0]),)
    assert values(result, "alpha")[question] == values(kept, "alpha")[question]
    shown = {
        e.groups["answers"]: e.value
        for e in result.estimates
        if e.name == "alpha" and e.groups.get("question") == PAIRS[0] and "answers" in e.groups
    }
    assert shown == {
        "kept": values(kept, "alpha")[question],
        "all": values(every, "alpha")[question],
    }
    assert any(
        "without them" in p.text and "with all answers" in p.text for p in result.card.finding
    )


def test_compare_people_shows_tau_both_ways(ratings, matrix):
    every, kept = (tm.analyse.compare_people(matrix, people=path, pilot=()) for path in ratings)
    result = tm.analyse.compare_people(matrix, people=ratings[0], pilot=(), without=("speed",))
    taus = [values(of, "kendall_tau")[()] for of in (kept, every)]
    assert taus[0] == values(result, "kendall_tau")[()]
    assert both(result, "kendall_tau") == {"kept": taus[0], "all": taus[1]}
    assert "with_and_without_kendall_tau" in {table.name for table in result.document().tables()}


def test_marks_of_agreement_are_taken_from_its_file(ratings, tmp_path):
    """What agreement says of annotators leaves them out elsewhere."""
    marks = tmp_path / "annotators_overall.csv"
    people = [f"p{n},{'unrelated' if n > 5 else ''}" for n in range(8)]
    marks.write_text("\n".join(("annotator,answers_r_verdict", *people)), "utf-8")
    result = tm.analyse.ratings(ratings[0], without=("unrelated",), participants=marks)
    assert values(result, "mean_rating") == values(tm.analyse.ratings(ratings[1]), "mean_rating")


def test_only_means_have_nobody_to_leave_out(matrix):
    with pytest.raises(BadInput, match="no answers of single people were read"):
        tm.analyse.ratings(matrix, scale="-10:10", without=("speed",))


def test_bots_among_the_people_are_a_warning(ratings):
    whole, _ = ratings
    marked = whole.with_name("bots.csv")
    marked.write_text(whole.read_text("utf-8").replace("mark_speed", "mark_bot"), "utf-8")
    warnings = [p.text for p in tm.analyse.ratings(marked).card.finding if p.kind == "warning"]
    assert warnings == [
        "2 of 8 respondents are marked bot and are counted with the people; --without bot leaves out bots."
    ]
    kept = tm.analyse.ratings(marked, without="bot")
    assert not any(p.kind == "warning" for p in kept.card.finding)
