"""Log-probabilities of tokens: what is close, and what is not in the vocabulary."""

import numpy as np
import pytest

from models.asked import blanks


def test_bfloat16_is_close_but_not_the_same(get):
    exact, rough = get("bert"), get("bert", precision="bfloat16")
    requests = blanks(exact)[:20]
    a, b = (np.concatenate(m.blank_logprobs(requests)) for m in (exact, rough))
    assert np.abs(a - b).max() > 0
    assert np.abs(a - b).mean() < 0.2 * np.abs(a).mean()
    assert rough.about["precision"] == "bfloat16"


@pytest.mark.parametrize(
    ("kind", "has"),
    [("bert", True), ("albert", True), ("llama", True), ("t5", True), ("gpt2", False)],
)
def test_what_is_not_in_the_vocabulary_is_told(get, kind, has):
    model = get(kind)
    known, foreign = model.encode(["He is a nurse.", "雪"])
    assert model.unknown not in known.ids
    assert (model.unknown in foreign.ids) == has
    assert (model.unknown is None) == (not has)
