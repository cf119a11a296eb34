"""Effects on yes/no answers beside statsmodels."""

from itertools import product

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import ContrastSample, TwoSides
from tiltmeter.studies.decisions import effects

PEOPLE = tuple(product(("20", "60", "80"), ("white", "Black"), ("male", "female")))


def questions(rng, size=12):
    """Log-odds of yes of all people, with slopes that differ between questions."""
    age, race, gender = (np.tile(column, size) for column in zip(*PEOPLE, strict=True))
    code = np.repeat(np.arange(size), len(PEOPLE))
    slope = 0.4 + 0.3 * rng.normal(size=size)
    odds = rng.normal(size=size)[code] + (race == "Black") * slope[code]
    return odds + 0.5 * rng.normal(size=len(code)), [age, race, gender], code


def of_black(columns, questions, effect):
    """The effect of being Black; race is the last column but one."""
    black = columns[-2] == "Black"
    a, b = ([column[here] for column in columns] for here in (black, ~black))
    both = TwoSides(a, questions[black], b, questions[~black])
    return effects.infer_effect(ContrastSample(effect, both, np.random.default_rng(0)))


def test_effects_are_those_of_a_mixed_model_with_random_slopes():
    smf = pytest.importorskip("statsmodels.formula.api")
    odds, people, code = questions(np.random.default_rng(3))
    logprobs = [-np.logaddexp(0, -odds), -np.logaddexp(0, odds), *np.full((2, len(odds)), -np.inf)]
    value, sure = of_black([*logprobs, *people], code, effects.LOGIT_EFFECTS[1])
    table = {"y": odds, "race": (people[1] == "Black") * 1.0, "woman": people[2] == "female"}
    table |= {"age": people[0], "question": code}
    terms = "race + woman + C(age, Treatment('60'))"
    frame = pytest.importorskip("pandas").DataFrame(table)
    fit = smf.mixedlm(f"y ~ {terms}", frame, groups=code, re_formula="1 + race").fit()
    assert value == pytest.approx(fit.params["race"], abs=1e-6)
    half = (sure.high - sure.low) / 2
    assert half / 2.2 == pytest.approx(fit.bse["race"], rel=0.02)  # t of 11 degrees is 2.2
    plain = [odds[(people[1] == race)].mean() for race in ("Black", "white")]
    assert value == pytest.approx(plain[0] - plain[1])  # the design is balanced


def test_effects_on_rates_leave_out_what_is_not_decided_and_questions_that_say_nothing():
    odds, people, code = questions(np.random.default_rng(4), size=4)
    chosen = (odds > 0) * 1.0
    chosen[code == 3] = -1  # a question that is refused
    effect = effects.RATE_EFFECTS[1]
    value, sure = of_black([chosen, *people], code, effect)
    black = people[1] == "Black"
    there = code < 3
    expected = 100 * (chosen[there & black].mean() - chosen[there & ~black].mean())
    assert value == pytest.approx(expected) and "3 questions" in sure.why
    chosen[:] = -1
    with pytest.raises(Undefined, match="no question has answers"):
        of_black([chosen, *people], code, effect)
