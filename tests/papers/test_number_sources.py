"""Numbers from which others are derived: cells, facts about models, and rows of tables."""

from pathlib import Path

from papers.starter_paper import DERIVING, VOTES, write
from support.command_line import own_cache, tilt
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Result
from tiltmeter.papers.cells import place
from tiltmeter.papers.derivations import DerivedNumber, NumberSource
from tiltmeter.papers.derived_numbers import derivations
from tiltmeter.papers.number_sources import DerivationInputs, numbers_of
from tiltmeter.papers.paper_file import PaperItem
from tiltmeter.papers.paper_plan import PaperResult

__all__ = ["own_cache", "tilt"]


def result(model, by="run"):
    """With a number of one subset, and a record of a group and a trait."""
    card = Card(
        "crossing", "1", {"name": model, "acc": 0.5, "good": True}, {"name": "x", "sha256": "s"}
    )
    estimates = [Estimate("rate", 7.0, None, None, None, 1, None, "%", groups={"target": "en"})]
    record = Record("1", {"first": 1.0, "second": 3.0}, {"crossed": "old cat"}, kind="cell")
    return PaperResult("run", Path(by), {"model": model}, Result(card, [record], estimates), by=by)


def numbers(*results, over=(), **source):
    made = numbers_of(NumberSource(**source), DerivationInputs(lambda _: None, results), over)
    return [(number.ours, number.places) for number in made]


def test_estimates_of_a_subset_are_meant_only_by_its_axis():
    assert numbers(result("a"), of=("run",)) == []
    ((value, places),) = numbers(result("a"), of=("run",), over=("target",))
    assert (value, places["target"], places["model"], places["measure"]) == (7, "en", "a", "rate")
    assert numbers(result("a"), of=("other",), over=("target",)) == []


def test_records_have_a_number_for_each_score():
    every = numbers(result("a"), of=("run",), records="cell", scores=("first", "second", "third"))
    assert [(value, at["score"], at["crossed"]) for value, at in every] == [
        (1, "first", "old cat"), (3, "second", "old cat"),
    ]  # fmt: skip


def test_axes_are_renamed_and_numbers_scaled():
    of = {
        "of": ("run",),
        "fact": "acc",
        "axes": {"model": "head"},
        "at": {"what": "x"},
        "times": 100,
    }
    ((value, places),) = numbers(result("a"), **of)
    assert (value, places["head"], places["what"], "model" in places) == (50, "a", "x", False)
    assert numbers(result("a"), of=("run",), fact="good") == []  # true is no number


def test_a_fact_about_a_model_is_the_same_on_a_sample_of_the_data():
    inputs = DerivationInputs(lambda _: None, [sampled := result("a")])
    sampled.result.card.data["sample"] = "9 of 99 items"
    ((fact,), (rate,)) = (
        numbers_of(NumberSource(of=("run",), **more), inputs, ("target",))
        for more in ({"fact": "acc"}, {})
    )
    assert (fact.unlike, rate.unlike) == (False, True)


def test_of_two_results_for_one_place_the_first_kind_is_taken_as_in_tables():
    fact = NumberSource(of=("run",), fact="acc")
    item = PaperItem(
        "A.5", "", rows=("model",), derived=(DerivedNumber("number", (fact,), by=("model",)),)
    )
    stored, run = result("a", "stored"), result("a")
    run.result.card.model["acc"] = 0.75
    (one,) = derivations(item, DerivationInputs(lambda _: None, [stored, run]), [])
    assert one.derived.placed.estimate.value == 0.75


def test_facts_about_models():
    fact = NumberSource(of=("run",), fact="acc", times=100)
    number = DerivedNumber("number", (fact,), by=("model",))
    item = PaperItem("A.5", "", rows=("model",), derived=(number,))
    (one,) = derivations(item, DerivationInputs(lambda _: None, [result("a")]), [])
    cells = place(item, [], [], derived=[one.derived]).cells
    assert [(c.row, c.ours.value, c.status) for c in cells] == [(("a",), 50, "ours")]


def test_a_paper_of_ones_own_counts_rows_and_averages_cells(tilt, tmp_path):
    """Two of the three cells with a number are at least a half, two of the four rows have the word."""
    (tmp_path / "votes.csv").write_text(VOTES, "utf-8")
    paper, out = write(tmp_path, DERIVING), tmp_path / "out"
    words = ("replicate", paper, "--out", out, "--select", "section 2,section 3")
    code, printed, err = tilt(*words, "--models", "fake:masked")
    assert code == 0, err
    lines = [line.split() for line in printed.splitlines()]
    assert ["at", "least", "half", "2"] in lines and ["rows", "with", "a", "word", "2"] in lines
    assert "Count over 3 rows. Count over 4 rows." in " ".join(printed.split())
    assert "of our numbers of Table 1." in printed and "Kinds of bias" not in printed
    assert ",n," in (out / "section-3.csv").read_text("utf-8").splitlines()[0]
