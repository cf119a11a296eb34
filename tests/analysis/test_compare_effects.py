"""Two models on the same association tests: differences against the definition, and what is paired."""

from dataclasses import replace

import numpy as np
import pytest

from tiltmeter.analysis.compare import compare, compare_all
from tiltmeter.core.errors import BadInput
from tiltmeter.core.finder import find
from tiltmeter.metrics.association import effect_size
from tiltmeter.metrics.effects import _resampled_both as _resampled
from tiltmeter.models._open import open_model, resolve
from tiltmeter.models._options import Options
from tiltmeter.run.choosing import choose
from tiltmeter.run.measure import measure


def result(study, model="fake", rule=None):
    found, where = find("studies", study, "STUDY"), resolve(model, Options())
    chosen = choose(found, where.answers, model=model, rule=rule)
    data = replace(found.sample(), sha256="0" * 64)
    return measure(found, open_model(where, Options()), data, chosen=chosen)


@pytest.mark.parametrize("study", ["weat", "seat"])
def test_a_difference_is_that_of_the_two_effect_sizes(study):
    a, b = result(study, rule="start_token"), result(study, rule="last_token")
    values = [
        {e.groups["test"]: e.value for e in r.estimates if e.name == "effect_size"} for r in (a, b)
    ]
    found = [e for e in compare(a, b) if "test" in e.groups]
    assert {e.groups["test"]: e.value for e in found} == pytest.approx(
        {test: values[0][test] - values[1][test] for test in values[0]}
    )
    for e in found:
        assert e.low <= e.value <= e.high
        assert "scored by different rules" in e.why
        assert ("words" if study == "seat" else "targets") in e.interval


def test_a_familys_mean_absolute_effects_have_a_difference_and_no_interval():
    a, b = result("weat", rule="start_token"), result("weat", rule="last_token")
    values = [
        {e.groups["family"]: e.value for e in r.estimates if e.name == "mean_absolute_effect"}
        for r in (a, b)
    ]
    found = {
        e.groups["family"]: e for e in compare(a, b) if e.name == "mean_absolute_effect_difference"
    }
    assert found and {family: e.value for family, e in found.items()} == pytest.approx(
        {family: values[0][family] - values[1][family] for family in values[0]}
    )
    assert all(e.low is None and "no interval, since tests share" in e.why for e in found.values())


def test_a_model_does_not_differ_from_itself():
    a = result("weat")
    for e in compare(a, replace(a, card=replace(a.card, model={**a.card.model, "name": "twin"}))):
        assert e.value == 0
        assert "no interval" in e.why


def test_resamples_take_both_models_associations_of_the_same_words(monkeypatch):
    from tiltmeter.metrics import effects

    rng = np.random.default_rng(0)
    s_a, s_b = rng.normal(size=8), rng.normal(size=8)
    words = np.array(list("aabbccdd"))
    x = np.repeat([True, False], 4)
    picked = np.array([[2, 0], [1, 1]])  # one resample of the first word twice, one of both
    monkeypatch.setattr(effects, "resampled_sums", lambda sums, _: picked @ sums)
    side = np.array(list("XXXXYYYY"))
    twice = [0, 1, 0, 1, 4, 5, 4, 5]
    expected = [effect_size(s[r], side) for r in (twice, np.arange(8)) for s in (s_a, s_b)]
    np.testing.assert_allclose(
        _resampled(s_a, s_b, x, words, rng), [expected[0] - expected[1], expected[2] - expected[3]]
    )


def test_draws_are_paired_and_must_be_the_same():
    a, b = result("ceat", "fake"), result("ceat", "fake:causal")
    found = compare(a, b)
    values = [
        {e.groups["test"]: e.value for e in r.estimates if e.name == "combined_effect"}
        for r in (a, b)
    ]
    assert {e.groups["test"]: e.value for e in found if e.groups.get("test")} == pytest.approx(
        {test: values[0][test] - values[1][test] for test in values[0]}
    )
    other = replace(b, card=replace(b.card, settings={**b.card.settings, "drawn": "7"}))
    with pytest.raises(BadInput, match="not made in the same way: drawn 0 and 7"):
        compare(a, other)


def test_matrices_in_context_are_compared_by_their_order():
    def cells(r):
        return replace(
            r,
            records=[x for x in r.records if "pair" in x.groups],
            estimates=[e for e in r.estimates if e.name == "association"],
        )

    found = compare_all([cells(result("ceat", "fake")), cells(result("ceat", "fake:causal"))])
    assert {e.name for e in found} >= {"matrix_tau", "same_lean"}
    assert "association_difference" not in {e.name for e in found}
