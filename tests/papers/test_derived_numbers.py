"""Derived numbers: what is computed of which numbers, over how many, and when it is compared."""

from dataclasses import replace
from pathlib import Path

import pytest

from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Card, Result
from tiltmeter.data.published import PrintedNumber
from tiltmeter.papers.cells import PaperCell, PaperCells
from tiltmeter.papers.derivations import DerivedNumber, NumberSource
from tiltmeter.papers.derived_numbers import derivations, notes_on
from tiltmeter.papers.number_sources import DerivationInputs
from tiltmeter.papers.paper_file import PaperItem, Remark
from tiltmeter.papers.paper_plan import PaperResult
from tiltmeter.papers.sources import UNASKED

MODELS = ("a", "b", "c", "d")
X, Y = (1.0, 2.0, 3.0, 4.0), (10.0, 30.0, 20.0, 40.0)
"""Ranks 1 2 3 4 and 1 3 2 4: Spearman's ρ is 1 − 6 · 2 / (4 · 15) = .8."""


def cell(model, measure, ours, printed, **about):
    made = None if ours is None else Estimate(measure, ours, None, None, None, 9, None, "%")
    number = None if printed is None else PrintedNumber(str(printed), printed, 1)
    return PaperCell((model,), (measure,), made, number, **about)


def table(ours=True, printed=True, **of_c):
    """Of four models x and y; of c with what is given instead."""
    cells = []
    for model, *values in zip(MODELS, X, Y, strict=True):
        about = of_c if model == "c" else {}
        here = ours and not (about.get("needs_models") or about.get("why") == "lost")
        cells += [
            cell(model, name, value if here else None, 2 * value if printed else None, **about)
            for name, value in zip(("x", "y"), values, strict=True)
        ]
    return PaperCells(("model",), ("measure",), cells)


def of(measure):
    return NumberSource(item="T1", where={"measure": (measure,)})


RHO = DerivedNumber("spearman", (of("x"), of("y")), over=("model",))
MEAN = DerivedNumber("mean", (of("x"),), over=("model",))


def made(number, cells, lacking=()):
    """The only number, as it is placed and compared with nothing."""
    item = PaperItem("T2", "", rows=("what",), derived=(number,))
    every = derivations(item, DerivationInputs(lambda _: cells, []), lacking)
    (one,) = every
    return one.derived, notes_on(every)


def test_a_correlation_over_models_says_over_how_many():
    derived, notes = made(RHO, table())
    assert derived.placed.estimate.value == pytest.approx(0.8)
    assert (derived.placed.estimate.n, derived.beside) == (4, "")
    assert notes == ["Spearman’s rank correlation over 4 models, of our numbers of Table 1."]


@pytest.mark.parametrize(("statistic", "more", "value"), [
    ("sum", {}, 10.0),
    ("mean", {}, 2.5),
    ("highest", {}, 4.0),
    ("count", {}, 4.0),
    ("count", {"at_least": 2.0}, 3.0),
    ("count", {"above": 2.0}, 2.0),
    ("share", {"above": 2.0}, 50.0),
])  # fmt: skip
def test_statistics_of_one_series(statistic, more, value):
    derived, _ = made(DerivedNumber(statistic, (of("x"),), over=("model",), **more), table())
    assert derived.placed.estimate.value == value


def test_pearson_is_of_values():
    """Deviations −1.5 −.5 .5 1.5 and −15 5 −5 15: 40 / √(5 · 500) = .8 too; and 1 for y of x itself."""
    derived, _ = made(replace(RHO, statistic="pearson"), table())
    assert derived.placed.estimate.value == pytest.approx(0.8)
    derived, _ = made(replace(RHO, statistic="pearson", of=(of("x"), of("x"))), table())
    assert derived.placed.estimate.value == 1


def test_over_fewer_models_than_the_papers_it_stands_beside():
    derived, notes = made(MEAN, table(why="lost"))
    assert derived.placed.estimate.value == pytest.approx((1 + 2 + 4) / 3)
    assert derived.beside == "3 of 4 models are here; missing: c"
    assert not derived.needs_models
    assert notes == ["Mean over 3 models, of our numbers of Table 1."]
    derived, _ = made(MEAN, table(needs_models=True))
    assert derived.needs_models


def test_printed_numbers_are_taken_where_ours_are_not_all_comparable():
    number = replace(MEAN, printed=True)
    for cells in (table(why="lost"), table(unlike=True, why="other data")):
        derived, notes = made(number, cells)
        assert (derived.placed.estimate.value, derived.beside) == (5.0, "")
        assert notes == ["Mean over 4 models, of the printed numbers of Table 1."]
    derived, notes = made(number, table())
    assert derived.placed.estimate.value == 2.5 and "our numbers" in notes[0]
    derived, _ = made(MEAN, table(unlike=True, why="other data"))
    assert (derived.placed.estimate.value, derived.beside) == (2.5, "other data")


def test_of_whatever_is_here_own_models_count_and_two_points_are_no_correlation():
    own = table()
    own = replace(
        own, cells=[*own.cells, cell("mine", "x", 5.0, None), cell("mine", "y", 0.0, None)]
    )
    derived, _ = made(replace(RHO, complete=False), own)
    assert derived.placed.estimate.n == 5
    derived, _ = made(RHO, own)
    assert derived.placed.estimate.n == 4
    few = replace(own, cells=own.cells[:4])
    derived, notes = made(replace(RHO, complete=False), few)
    assert derived.placed.estimate.value is None
    assert "over 2 models" in notes[0] and "three points" in notes[0]


def test_where_nothing_is_here_it_says_what_it_takes():
    derived, notes = made(MEAN, table(ours=False))
    assert derived.placed.estimate.value is None and notes == []
    assert derived.placed.estimate.why == "none of 4 models is here; missing: a, b, c, d"


def result(model, data=None, **values):
    estimates = [
        Estimate("leaks", value, None, None, None, 1, None, "", groups={"target": target})
        for target, value in values.items()
    ]
    card = Card("leak", "1", {"name": model, "acc": 0.5}, data or {"name": "x", "sha256": "s"})
    return PaperResult("leak", Path(model), {"model": model}, Result(card, [], estimates))


SUM = DerivedNumber(
    "sum", (NumberSource(of=("leak",), where={"model": ("a", "b"), "target": ("*",)}),),
    over=("model",), by=("target",),
)  # fmt: skip


def sums(*results, lacking=(), number=SUM):
    item = PaperItem("T2", "", rows=("target",), derived=(number,))
    every = derivations(item, DerivationInputs(lambda _: None, results), lacking)
    return {each.derived.placed.at("target"): each.derived for each in every}


def test_a_sum_over_models_of_results_by_target():
    by_target = sums(result("a", en=1.0, ru=2.0), result("b", en=3.0, ru=0.0))
    assert {t: d.placed.estimate.value for t, d in by_target.items()} == {"en": 4, "ru": 2}
    lacking = [Remark(f"{UNASKED} add --models b", {"model": ("b",)})]
    alone = sums(result("a", en=1.0), lacking=lacking)["en"]
    assert (alone.placed.estimate.value, alone.beside) == (1, "1 of 2 models are here; missing: b")
    assert alone.needs_models and not sums(result("a", en=1.0))["en"].needs_models


def test_a_sample_of_the_data_stands_beside():
    sampled = {"name": "x", "sha256": "s", "sample": "9 of 99 items"}
    derived = sums(result("a", en=1.0), result("b", sampled, en=3.0))["en"]
    assert derived.beside == "ours is of a sample of the data: 9 of 99 items"


def test_two_numbers_for_one_point_are_refused():
    with pytest.raises(BadInput, match="T2: the sum has two numbers for en, a"):
        sums(result("a", en=1.0), result("a", en=3.0))
