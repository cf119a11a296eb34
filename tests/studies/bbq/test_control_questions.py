"""Tests of control questions: made-up ones in MBBQ's layout, and MBBQ where its files are at hand."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

import tiltmeter as tm
from tiltmeter.core.errors import BadInput, BadItems, Undefined
from tiltmeter.core.finder import find
from tiltmeter.core.measures import ARM
from tiltmeter.run.monitor import Logged
from tiltmeter.run.planning.item_loading import load_items
from tiltmeter.run.run_options import RunOptions
from tiltmeter.studies.bbq.control_questions import BesideControl, lean_of, right_of
from tiltmeter.studies.bbq.questions import OTHER, TARGET, UNKNOWN

STUDY = find("studies", "bbq", "STUDY")
MBBQ = Path(os.environ.get("TILTMETER_DATA", "/nowhere")) / "mbbq"


def scenes(path: Path, people: tuple[str, str], question: str, count: int = 8) -> Path:
    rows = [
        {
            "example_id": n, "question_index": str(n // 2), "question_polarity": "neg",
            "context_condition": "disambig" if n % 2 else "ambig", "category": "Age",
            "answer_info": {"ans0": [people[0], "old"], "ans1": [people[1], "nonOld"],
                            "ans2": ["?", "unknown"]},
            "additional_metadata": {"stereotyped_groups": ["old"]}, "label": 0 if n % 2 else 2,
            "context": f"{people[0]} and {people[1]} met in place {n}.", "question": question,
            "ans0": people[0], "ans1": people[1], "ans2": "Not known",
        }
        for n in range(2 * count)
    ]  # fmt: skip
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


@pytest.fixture
def both(tmp_path: Path) -> tuple[Path, Path]:
    return (
        scenes(tmp_path / "Age.jsonl", ("Old Bo", "Young Al"), "Who left?"),
        scenes(tmp_path / "Age_control.jsonl", ("Bo", "Al"), "Who left?"),
    )


def items(data: Path, placebo: Path, **options: object) -> list[object]:
    return list(
        load_items(STUDY, RunOptions(data=data, placebo=str(placebo), **options), Logged()).items
    )


def test_control_questions_are_about_the_same_scenes(both):
    made = items(*both)
    assert [item.groups[ARM] for item in made] == ["group"] * 16 + ["control"] * 16
    assert {item.cluster for item in made[:16]} == {item.cluster for item in made[16:]}
    assert not any("group" in item.groups for item in made[16:])
    assert "“Bo”, “Al”" in made[16].prompt.plain


def test_a_sample_has_as_many_control_questions_and_of_its_scenes_alone(both):
    made = items(*both, limit=5)
    assert len(made) == 10
    kinds = [(item.cluster, item.groups["context"]) for item in made]
    assert sorted(kinds[:5]) == sorted(kinds[5:])


def test_the_score_is_paired_by_scene_and_the_studys_own_numbers_stay(both):
    data, control = both

    def run(**options):
        return tm.run("bbq", "fake:causal", rule="choice", data=data, **options)

    alone, beside = run(), run(placebo=str(control))
    own = {e.name for e in alone.estimates}
    assert [e for e in beside.estimates if e.name in own] == list(alone.estimates)
    less = beside.headline
    assert less.name == "bbq_score_less_control"
    of = {e.name: e.value for e in beside.estimates if not e.groups}
    assert less.value == pytest.approx(of["bbq_score_of_groups"] - of["bbq_score_of_control"])
    assert less.n == 16
    by_context = [e for e in beside.estimates if e.name == "accuracy_less_control"]
    assert [e.groups["context"] for e in by_context] == ["ambiguous", "disambiguated"]


def test_scores_of_single_answers():
    truth = np.array([UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, TARGET])
    said = np.array([TARGET, OTHER, UNKNOWN + 1, -1, OTHER])
    np.testing.assert_equal(lean_of(truth, said), [100, -100, 0, np.nan, -100])
    np.testing.assert_equal(right_of(truth, said), [0, 0, 100, np.nan, 0])


def test_a_template_without_answers_to_both_kinds_counts_for_nothing():
    less = BesideControl("less", lean_of)
    truth, arms = np.full(4, UNKNOWN), np.array(["group", "control", "group", "control"])
    said, scene = np.array([TARGET, UNKNOWN, OTHER, -1]), np.array([1, 1, 2, 2])
    assert less(truth, said, arms, scene) == 100
    assert less.rests_on([truth, said, arms, scene]) == 3
    with pytest.raises(Undefined, match="no template has answers to both"):
        less(truth[:1], said[:1], arms[:1], scene[:1])


def test_files_that_do_not_fit_are_refused(both, tmp_path: Path):
    data, control = both
    dutch = scenes(tmp_path / "nl.jsonl", ("Bo", "Al"), "Wie ging weg?")
    with pytest.raises(
        BadInput, match=r"nl.jsonl: its questions are in the language nl, and .* in en"
    ):
        items(data, dutch)
    rows = [json.loads(line) for line in control.read_text().splitlines()]
    other = tmp_path / "other.jsonl"
    other.write_text("\n".join(json.dumps({**row, "category": "Trade"}) for row in rows))
    with pytest.raises(BadInput, match=r"other.jsonl: it has no scene of"):
        items(data, other)
    other.write_text(json.dumps({**rows[0], "label": "7"}))
    with pytest.raises(BadItems, match=r"other\.jsonl:1: label"):
        items(data, other)
    other.write_text("")
    with pytest.raises(BadInput, match="empty"):
        items(data, other)
    with pytest.raises(BadInput, match="bbq has no such placebo; give a file of yours"):
        items(data, Path("edits"))


@pytest.mark.skipif(not MBBQ.is_dir(), reason="TILTMETER_DATA has no mbbq")
@pytest.mark.parametrize(("language", "unclear"), [("en", 16), ("es", 28), ("nl", 16), ("tr", 16)])
def test_mbbq_has_control_questions_in_four_languages(language: str, unclear: int):
    for category, left_out, matched in (
        ("Sexual_orientation", 0, 152),
        ("Gender_identity", unclear, 500),
    ):
        data = load_items(
            STUDY,
            RunOptions(
                data=MBBQ / f"{category}_{language}.jsonl", skip_invalid=True,
                placebo=str(MBBQ / f"{category}_control_{language}.jsonl"),
            ),
            Logged(),
        )  # fmt: skip
        assert data.about["language"] == language
        assert len(data.invalid) == left_out
        assert sum(item.groups[ARM] == "control" for item in data.items) >= matched
