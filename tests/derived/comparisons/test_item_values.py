"""The numbers of single items: by hand, over what all runs answer, and what is refused."""

import numpy as np
import pytest

from analyses.items.examples import run, runs
from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.measures import Measure
from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Result
from tiltmeter.derived.comparisons import item_values as module
from tiltmeter.derived.comparisons.item_values import check_alike, item_values
from tiltmeter.metrics.labels import rate
from tiltmeter.studies.gest import study as gest


def test_a_share_is_the_mean_of_its_items():
    made = item_values(runs(), "stereotype_rate")
    assert made.table.tolist() == [
        [100.0 * int(side) for side in sides] for sides in ("000000", "110000", "111010", "111110")
    ]
    assert made.items == [f"p{i}" for i in range(6)] and not made.has_clusters
    assert not made.by_leaving_out and len({*made.clusters.tolist()}) == 6


def test_only_items_that_all_answer_count_whatever_their_order():
    some = [run("a", "01?1"), run("b", "110", names=["p3", "p1", "p9"]), run("c", "0110")]
    made = item_values(some, "stereotype_rate")
    assert (made.items, made.in_any, made.answered) == (["p1", "p3"], 5, [3, 3, 4])
    assert made.table.tolist() == [[100, 100], [100, 100], [100, 0]]
    with pytest.raises(Undefined, match="no item is answered by all"):
        item_values([run("a", "01"), run("b", "01", names=["x", "y"])], "stereotype_rate")


def of_replies(model, by_item):
    records = [
        Record(f"q{i}", {"flag": float(flag)}, {}).as_repeat(k)
        for i, flags in enumerate(by_item)
        for k, flag in enumerate(flags)
    ]
    card = Card(
        "prompts", "1", {"name": model}, {"sha256": "one"}, rule="stored", convention="paper"
    )
    return Result(card, records, [])


def test_several_replies_to_an_item_count_as_their_mean(monkeypatch):
    flagged = Measure("flagged", rate, ("flag",), "%", None)
    monkeypatch.setattr(module, "measures_of", lambda _: [flagged])
    monkeypatch.setattr(module, "decimals_of", lambda _: None)
    made = item_values([of_replies("a", ["10", "1"]), of_replies("b", ["00", "10"])], "flagged")
    assert made.table.tolist() == [[50, 100], [0, 50]]


def test_what_is_no_mean_over_items_has_pseudo_values(monkeypatch):
    def spread(x):
        return float(np.var(x, ddof=1))

    monkeypatch.setattr(
        module, "measures_of", lambda _: [Measure("spread", spread, ("flag",), "", None)]
    )
    monkeypatch.setattr(module, "decimals_of", lambda _: None)
    made = item_values([of_replies("a", "0013"), of_replies("b", "1110")], "spread")
    x = np.array([0.0, 0, 1, 3])
    by_hand = [4 * np.var(x, ddof=1) - 3 * np.var(np.delete(x, i), ddof=1) for i in range(4)]
    assert made.by_leaving_out and made.table[0] == pytest.approx(by_hand)
    monkeypatch.setattr(module, "CELLS", 10)
    with pytest.raises(BadInput, match="spread is no mean over items, so it takes too long"):
        item_values([of_replies("a", "0013"), of_replies("b", "1110")], "spread")


def test_g_s_is_the_power_of_the_mean_of_its_items():
    """Strong 2 and 8, neat 2: √16 / 2 = 2."""
    (g_s,) = (m for m in gest.MEASURES if m.name == "g_s")
    columns = [
        np.log([2.0, 8.0, 2.0]),
        np.array(["strong", "strong", "neat"]),
        np.array([1.0, 1.0, 0.0]),
    ]
    parts = g_s.mean_of.of(columns, "half")
    assert g_s.mean_of.of_logarithm
    assert np.exp(parts.mean()) == pytest.approx(2.0) == pytest.approx(g_s.metric(*columns))


@pytest.mark.parametrize(
    ("card", "says"),
    [
        (
            {"rule": "pll_shared"},
            "a and b have different rules, whose numbers do not mean the same: aul and",
        ),
        ({"convention": "other"}, "a and b have different conventions: paper and other"),
        ({"ties": "loss"}, "different ways to count ties"),
        ({"study": "winobias"}, "different studies"),
        ({"data": {"name": "mine", "sha256": "other"}}, "different data"),
    ],
)
def test_runs_that_were_not_made_alike_are_refused(card, says):
    other = run("b", "11", text=lambda i: f"another {i}", **card)
    with pytest.raises(BadInput, match=says):
        check_alike([run("a", "01"), other], "give runs by one rule")


def test_rules_that_mean_the_same_and_copies_of_the_data_are_taken():
    alike = ("aul", "log_likelihood")
    check_alike(
        [run("a", "01", alike=alike), run("b", "11", rule="log_likelihood", alike=alike),
         run("c", "11", data={"name": "copy", "sha256": "xyz"})], ""
    )  # fmt: skip


def test_measures_that_there_are_not_are_refused_with_those_that_there_are():
    with pytest.raises(
        BadInput, match="crows_pairs has no number 'accuracy' over all items"
    ) as error:
        item_values(runs(), "accuracy")
    assert "stereotype_rate" in str(error.value)
