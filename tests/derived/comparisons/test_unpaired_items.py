"""Items that only one of two results answers: how many, which, and what they could hide."""

import numpy as np
import pytest

from tiltmeter.core.measures import Measure
from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Result
from tiltmeter.derived.comparisons.compare import compare_all
from tiltmeter.derived.comparisons.unpaired_items import UNPAIRED, UnpairedItems, named
from tiltmeter.metrics.labels import rate
from tiltmeter.metrics.perplexity import perplexity

nan = float("nan")
RIGHT = Measure("right", rate, ("right",), "%", None, over=((), ("kind",)))


@pytest.fixture(autouse=True)
def one_measure(monkeypatch):
    def use(*measures):
        monkeypatch.setattr("tiltmeter.derived.comparisons.compare.measures_of", lambda _: measures)

    use(RIGHT)
    return use


def result(name, scores, column="right"):
    """With a score for each item q0, q1, …; None is an item without a record."""
    records = [
        Record(f"q{i}", {} if score is nan else {column: score}, {"kind": "ab"[i % 2]})
        for i, score in enumerate(scores)
        if score is not None
    ]
    card = Card(
        "prompts", "1", {"name": name}, {"sha256": "one"}, rule="stored", convention="paper"
    )
    return Result(card, records, ())


def overall(compared, name="right_difference"):
    (found,) = [e for e in compared.estimates if e.name == name and not e.groups]
    return found


@pytest.mark.parametrize("lacking", [None, nan], ids=["no record", "no score"])
def test_only_items_that_both_answer_are_compared_whatever_the_others_say(lacking):
    """Twelve equal answers, and eight right ones of A that B lacks: no difference, and 0 to 40 points."""
    common = [1.0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1]
    compared = compare_all(
        [result("A", [*common, *[1.0] * 8]), result("B", [*common, *[lacking] * 8])]
    )
    e = overall(compared)
    assert (e.value, e.n) == (0, 12)
    assert "left out: 8 items that A answers and B does not (q12, q13, q14, …; " in e.why
    assert "the difference could be 0.0 to 40.0" in e.why
    assert [(r.item, r.kind) for r in compared.unpaired] == [
        (f"q{i}", UNPAIRED) for i in range(12, 20)
    ]
    assert compared.unpaired[0].groups == {"answered": "A", "unanswered": "B", "measures": "right"}
    turned = overall(
        compare_all([result("B", [*common, *[lacking] * 8]), result("A", [*common, *[1.0] * 8])])
    )
    assert "left out: 8 items that A answers and B does not" in turned.why
    assert "the difference could be −40.0 to 0.0" in turned.why


def test_both_may_lack_items_and_subsets_count_their_own():
    compared = compare_all([result("A", [1, 0, 1, None, 1.0]), result("B", [1, 1, None, 0, 0.0])])
    e = overall(compared)
    assert (e.value, e.n) == (0, 3)
    assert "1 item that A answers and B does not (q2); left out: 1 item that B answers" in e.why
    # over q0 to q4, A has 3 + q3 of 5, and B has 1 + q2 of 5, with both lacking answers from 0 to 1
    low, high = (100 * (3 + end - (2 + 1 - end)) / 5 for end in (0, 1))
    assert f"{low:.1f} to {high:.1f}" in e.why
    assert {e.groups["kind"]: e.n for e in compared.estimates if e.groups} == {"a": 2, "b": 1}


def test_without_ends_nothing_is_said_of_what_they_could_hide(one_measure):
    one_measure(Measure("loss", lambda x: float(np.mean(x)), ("right",), "", None))
    e = overall(
        compare_all([result("A", [1, 2, 3.0]), result("B", [1, 2.5, nan])]), "loss_difference"
    )
    assert (e.value, e.n) == (-0.25, 2)
    assert "1 item that A answers" in e.why and "could be" not in e.why
    assert not hasattr(perplexity, "mean_of")


def test_nothing_in_common_and_nothing_at_all_are_undefined_for_their_reasons():
    apart = overall(compare_all([result("A", [1, nan]), result("B", [nan, 1])]))
    assert (apart.value, apart.n) == (None, 0)
    assert apart.why.startswith(
        "there is no item that both answer; left out: 1 item that A answers"
    )
    neither = overall(compare_all([result("A", [nan, nan]), result("B", [nan, nan])]))
    assert neither.why == "neither of the two has an answer"


def test_a_condition_on_a_score_is_met_by_both(one_measure):
    one_measure(Measure("right", rate, ("right",), "%", None, where={"asked": 1.0}))

    def asked(name, flags):
        made = result(name, [1.0] * len(flags))
        for record, flag in zip(made.records, flags, strict=True):
            record.scores["asked"] = flag
        return made

    e = overall(compare_all([asked("A", [1, 1, 0]), asked("B", [1, 0, 1])]))
    assert e.n == 1
    assert "1 item that A answers and B does not (q1)" in e.why
    without = result("B", [1.0, 1.0, 1.0])
    assert overall(compare_all([asked("A", [1, 1, 0]), without])).value is None


def test_equal_answers_leave_nothing_out():
    compared = compare_all([result("A", [1, 0]), result("B", [1, 1])])
    assert compared.unpaired == []
    assert "left out" not in overall(compared).why


def test_an_item_is_listed_once_with_all_its_measures():
    both = UnpairedItems("A", "B")
    assert both.add("one", ["q2", "q1"], [], counts="texts") == (
        "left out: 2 texts that A answers and B does not (q2, q1)"
    )
    both.add("two", ["q1"], ["q1"], counts="texts")
    assert [(r.item, r.groups["answered"], r.groups["measures"]) for r in both.records()] == [
        ("q1", "A", "one, two"), ("q2", "A", "one"), ("q1", "B", "two"),
    ]  # fmt: skip


def test_long_ids_are_shortened():
    assert named(["x" * 500]).count("x") < 30
