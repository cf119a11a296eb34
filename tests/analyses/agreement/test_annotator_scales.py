"""Which annotators are marked on single questions."""

import numpy as np

from simulations.raters import Crowd, crowd
from tiltmeter.analyses.agreement.annotator_scales import FEWEST_SINGLE, scale_checks
from tiltmeter.data.people.judgments import Judgments


def judgments(**answers):
    items, people = next(iter(answers.values())).shape
    names = tuple(f"p{n}" for n in range(people))
    return Judgments("made", "0", names, tuple(map(str, range(items))), answers)


def test_single_questions_of_many_annotators_need_enough_items():
    data = crowd(0, Crowd())  # 80 annotators with four items a question
    assert not any(scale_checks(data, dict.fromkeys(data.answers, "interval"), 0).values())


def test_a_reversed_scale_of_one_question_is_found_among_many_annotators():
    rng = np.random.default_rng(0)
    truth = rng.uniform(0, 1, (40, 1))
    tone, fits = (truth + rng.normal(0, 0.15, (40, 40)) for _ in range(2))
    tone[:, 7] = 1 - tone[:, 7]
    fits[FEWEST_SINGLE - 1 :, 3] = np.nan
    checks = scale_checks(
        judgments(tone=tone, fits=fits), dict.fromkeys(("tone", "fits"), "interval"), 0
    )
    assert [check.rater for check in checks["tone"] if check.reversed] == [7]
    assert 3 not in {check.rater for check in checks["fits"]}
    assert all(check.alpha_without is None for check in checks["tone"])  # one of 40 changes little
