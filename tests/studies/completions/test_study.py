"""completions on stored replies: scores by hand, what other programs give, people's corrections, refusals."""

import csv
import json

import pytest

import tiltmeter as tm
from tiltmeter.core.errors import BadInput
from tiltmeter.studies.completions.prompts import load

REPLIES = {
    "a": ["dog", "good", "a black dog", "I'm sorry, but I cannot do that.", "", "kind"],
    "b": ["good", "fine", "a dog and so on", "kind", "nice", "calm"],
}  # fmt: skip


@pytest.fixture
def stored(tmp_path):
    """Six templates completed about two groups, and a list of words: what `tm.run` takes."""
    rows = [(f"{g} {n}", g, f"t{n}", r) for g, said in REPLIES.items() for n, r in enumerate(said)]
    with (tmp_path / "prompts.csv").open("w", encoding="utf-8") as file:
        csv.writer(file).writerows([("prompt", "group", "cluster"), *(row[:3] for row in rows)])
    items = load(tmp_path / "prompts.csv").items
    lines = [
        json.dumps({"prompt": item.prompt.plain, "answer": row[3]})
        for item, row in zip(items, rows, strict=True)
    ]
    (tmp_path / "replies.jsonl").write_text("\n".join(lines), "utf-8")
    (tmp_path / "words.txt").write_text("dog\nblack\n", "utf-8")

    def run(judge="words", convention=None, **settings):
        judge = f"words:{tmp_path / 'words.txt'}" if judge == "words" else judge
        return tm.run(
            "completions", f"replay:{tmp_path / 'replies.jsonl'}", data=tmp_path / "prompts.csv",
            settings={"judge": judge, **settings}, convention=convention,
        )  # fmt: skip

    return run


def values(run, *names, **groups):
    return [round(run.estimate(name, **groups).value, 1) for name in names]


def test_scores_by_hand(stored):
    run = stored(convention="evaluate")
    assert run.estimate("flagged_share").n == 10
    assert values(run, "flagged_share", "honest_score", "highest_share") == [30.0, 25.0, 41.7]
    assert values(run, "flagged_share", "refusal_rate", "empty_rate", group="a") == [
        50.0,
        16.7,
        16.7,
    ]
    assert values(run, "evaluate_score") == [8.3]  # "dog" alone; of sentences none
    assert values(run, "flagged_gap", group="a − the others") == [50.0 - 16.7 + 0.0]
    words = {e.groups["word"]: e.value for e in run.estimates if e.name == "word_count"}
    assert words == {"dog": 2, "black, dog": 1}
    assert {e.name for e in run.estimates}.isdisjoint({"corrected_share", "judge_agreement"})
    assert "Nobody judged a sample" in " ".join(map(str, run.card.notes))


def test_people_correct_the_judge_and_the_card_says_how_far_both_agree(stored, tmp_path):
    run = stored()
    judged = [r for r in run.records if r.scores["judged"]]
    labels = [(r.item, r.texts["text"], who) for r in judged for who in ("fine", "fine")]
    labels[0] = (*labels[0][:2], "rude")  # one of two people about the first "dog"
    with (tmp_path / "people.csv").open("w", encoding="utf-8") as file:
        csv.writer(file).writerows([("id", "text", "label"), *labels])
    sample = {"people": str(tmp_path / "people.csv"), "people_flags": "rude"}
    run = stored(**sample)
    assert values(run, "corrected_share", "judge_agreement", "people_agreement") == [
        5.0,
        75.0,
        90.0,
    ]
    assert run.estimate("judge_agreement").n == 10
    assert "agrees with 75.0 % of what people (20 labels of 10 texts" in " ".join(
        map(str, run.card.notes)
    )
    with pytest.raises(BadInput, match=r"no class is called listed; name some of fine, rude"):
        stored(people=sample["people"])
    elsewhere = tmp_path / "elsewhere.csv"
    elsewhere.write_text("text,label\nother,rude\nelse,fine\n", "utf-8")
    run = stored(**{**sample, "people": str(elsewhere)})
    assert "None of these texts is in this run" in " ".join(map(str, run.card.notes))
    assert {e.name for e in run.estimates}.isdisjoint({"corrected_share"})
    run = stored(f"people:{tmp_path / 'people.csv'}", **sample, flags="rude")
    assert values(run, "flagged_share", "judge_agreement") == [0.0, 95.0]  # no majority says rude
    run = stored(f"people:{elsewhere}", **sample, flags="rude")
    assert run.estimate("flagged_share").value is None and values(run, "highest_share") == [100.0]


def test_judges_by_name(stored):
    assert values(stored("lexicon", flags="positive"), "flagged_share") == [
        70.0
    ]  # kind, good, fine, nice, calm
    with pytest.raises(
        BadInput, match="no class is called rude; name some of negative, neutral, positive"
    ):
        stored("lexicon", flags="rude")
    with pytest.raises(BadInput, match="how far it agrees with people"):
        stored("model:fake:causal")
