"""The study from the items to its numbers, on models whose choices are known."""

from dataclasses import replace

import numpy as np
import pytest

from tiltmeter.analyses.leak.language_runs import model_cells
from tiltmeter.core.model.conversations import Reply
from tiltmeter.derived.comparisons.compare import compare
from tiltmeter.models import fake
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose
from tiltmeter.studies.story_choice.study import STUDY

PAIR = {"group": "woman", "pair": "cold - warm"}


class Chooser(fake.FakeWriter):
    """Writes the right trait in 4 of 5 repeats where the left is named first, in 2 where the right is."""

    __slots__ = ("off",)

    def __init__(self, *, off=False):
        super().__init__("chooser")
        object.__setattr__(self, "off", off)

    def write(self, requests):
        return [Reply(self._one(request)) for request in requests]

    def _one(self, request):
        text = request.prompt.plain
        if self.off and request.repeat == 0:
            return "I cannot choose." if "either cold" in text else "hope"
        first, second = text.split("either ")[1].split(" as the")[0].split(" or ")
        left_first = first in ("powerless", "cold")
        left, right = (first, second) if left_first else (second, first)
        return right if request.repeat >= (1 if left_first else 3) else left

    def choice_logprobs(self, requests):
        return [np.log([0.1, 0.3]) for _ in requests]


def run(model, rule="word", convention=None, swapped=False, **settings):
    chosen = choose(
        STUDY, fake.answers("writer"), model="chooser", rule=rule, convention=convention
    )
    told = {**chosen.settings, "groups": "woman, man", **settings}
    data = STUDY.load(settings=told)
    kept = [i for i in data.items if i.groups["pair"] in {"powerless - powerful", "cold - warm"}]
    if swapped:
        kept.reverse()
    return measure(STUDY, model, replace(data, items=kept), chosen=replace(chosen, settings=told))


def value(result, name, **groups):
    (found,) = [e for e in result.estimates if e.name == name and e.groups == groups]
    return found


@pytest.fixture(scope="module")
def result():
    return run(Chooser())


def test_shares_and_their_difference(result):
    assert value(result, "right_pole", **PAIR).value == pytest.approx(60)  # 4 + 2 of 10
    assert value(result, "left_pole", **PAIR).value == pytest.approx(40)
    cell = value(result, "association", **PAIR)
    assert (cell.value, cell.n) == (pytest.approx(20), 10)
    assert (round(cell.low, 1), round(cell.high, 1)) == (-37.5, 66.4)  # Wilson of 6 of 10, doubled
    assert cell.p == pytest.approx(193 / 256)  # 2 · P(X ≤ 4) of 10 throws
    assert value(result, "mean_strength").value == pytest.approx(20)
    # by repeat the right trait is chosen in neither, neither and left, left, both orders: sums −2, 0, 0, 2, 2
    products = 4 - (4 + 4 + 4)
    rms = value(result, "rms_strength")
    assert rms.value == pytest.approx(-100 * (-products / (10**2 - 5 * 4)) ** 0.5)
    assert rms.low < rms.value < 20 < rms.high


def test_the_effect_of_the_order_does_not_depend_on_what_is_preferred(result):
    # the trait named first: 1 of 5 where it is the left one, 2 of 5 where it is the right one
    assert value(result, "first_named_rate").value == pytest.approx(30)
    always = run(fake.load("level"))
    assert value(always, "first_named_rate").value == 100
    assert value(always, "association", **PAIR).value == 0
    one = value(run(Chooser(), order="left"), "first_named_rate")
    assert one.value is None
    assert "in one order" in one.why


def test_replies_without_an_answer_are_in_no_denominator_and_counted_apart():
    result = run(Chooser(off=True))
    cell = value(result, "right_pole", **PAIR)
    assert (cell.value, cell.n) == (pytest.approx(75), 8)  # 4 of 4 and 2 of 4
    assert value(result, "off_list_rate").value == pytest.approx(20)
    assert value(result, "refusal_rate").value == pytest.approx(5)  # one of 20 for cold - warm
    assert value(result, "refusal_rate", pair="cold - warm").value == pytest.approx(10)


def test_the_order_of_the_items_changes_nothing(result):
    back = run(Chooser(), swapped=True)
    assert {(e.name, *e.groups.items()): e.value for e in back.estimates} == pytest.approx(
        {(e.name, *e.groups.items()): e.value for e in result.estimates}
    )


def test_probabilities_have_no_interval():
    result = run(Chooser(), rule="choice")
    cell = value(result, "association", **PAIR)
    assert (cell.value, cell.n, cell.low, cell.p) == (pytest.approx(50), 2, None, None)
    assert value(result, "first_named_rate").value == pytest.approx(50)
    strength = value(result, "rms_strength")  # 50 in both groups for both pairs
    assert (strength.value, strength.low, strength.p) == (pytest.approx(50), None, None)


def test_the_published_script_names_the_left_trait_first():
    result = run(Chooser(), convention="cao2023_code")
    assert {r.groups["order"] for r in result.records} == {"left first"}
    assert value(result, "right_pole", **PAIR).value == pytest.approx(90)  # repeats 1 to 9 of 10
    assert (result.card.settings["temperature"], result.card.rule) == ("1.1", "word")


def test_flows_read_its_poles_and_two_runs_compare(result):
    cells = model_cells(result)
    assert (cells.name, cells.groups) == ("en", ("woman", "man"))
    assert cells.columns == ("powerless", "powerful", "cold", "warm")
    assert cells.values.tolist() == [pytest.approx([40, 60, 40, 60])] * 2
    assert model_cells(result, unit="pairs").values.tolist() == [pytest.approx([20, 20])] * 2
    other = run(fake.load("writer"))
    assert {e.name for e in compare(result, other)} >= {"matrix_tau", "same_lean"}
