"""How well labels are predicted, against scikit-learn; what the studies of classifiers report."""

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.core.finder import find
from tiltmeter.core.samples import Sample
from tiltmeter.metrics import classified
from tiltmeter.metrics.label_intervals import infer_labelled
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose

RNG = np.random.default_rng(3)


def test_without_positive_texts_there_is_no_f1_of_them():
    with pytest.raises(Undefined, match="no positive texts"):
        classified.f1_positive(np.zeros(2), np.array([0.0, 1]))


def test_precision_of_texts_of_one_label_has_no_interval_and_no_note():
    columns, rng = [np.ones(30), RNG.integers(0, 2, 30).astype(float)], np.random.default_rng(0)
    sure = infer_labelled(Sample(classified.positive_predictive_value, columns, np.arange(30), rng))
    assert (sure.low, sure.why) == (None, "")
    assert (
        infer_labelled(Sample(classified.true_positive_rate, columns, np.arange(30), rng)).low > 0
    )


def test_where_all_answers_are_right_the_interval_is_that_of_so_many_texts():
    """Wilson's interval of 18 of 18: low n / (n + z²)."""
    truth = (np.arange(60) < 18).astype(float)
    rng, texts = np.random.default_rng(0), np.arange(60)
    sure = infer_labelled(Sample(classified.true_positive_rate, [truth, truth], texts, rng))
    assert (sure.low, sure.high) == pytest.approx((100 * 18 / (18 + 1.959964**2), 100))
    whole = infer_labelled(Sample(classified.accuracy, [truth, truth], texts, rng))
    assert sure.low < whole.low < 100 == pytest.approx(whole.high)


def run_of(study, data):
    where = resolve("fake:classifier")
    chosen = choose(study, where.answers, model="fake")
    return measure(study, open_model(where), data, chosen=chosen)


@pytest.mark.parametrize("name", ["classification", "fairness_gaps"])
def test_what_the_data_give_has_no_interval_and_no_note(name):
    study = find("studies", name, "STUDY")
    result = run_of(study, study.sample())
    shares = [e for e in result.estimates if e.name == "positive_share"]
    assert shares and all(e.value == 50 and e.low is None and not e.why for e in shares)
