"""A causal model reads what texts have in common once, and says what it says of each alone."""

import numpy as np
import pytest

from models.beginnings import opened, requests_of
from tiltmeter.models.reading import tree_attention, tree_texts


@pytest.mark.parametrize("kind", ["gpt2", "llama"])
@pytest.mark.parametrize("queries", [1, 2, 3])
def test_texts_in_pieces_equal_whole_ones(kind, queries, tmp_path, monkeypatch):
    model = opened(kind, tmp_path)
    asked = requests_of(model)
    whole = model.continuation_logprobs(asked)
    monkeypatch.setattr(tree_attention, "QUERIES", queries)
    for in_pieces, right in zip(model.continuation_logprobs(asked), whole, strict=True):
        np.testing.assert_allclose(in_pieces, right, rtol=0, atol=1e-5)


@pytest.mark.parametrize("fault", ["positions", "sight"])
def test_a_model_that_answers_otherwise_reads_each_alone(fault, tmp_path, monkeypatch):
    if fault == "sight":  # every token sees all keys of its group
        monkeypatch.setattr(tree_attention.QueryGroup, "_mask", lambda *_: None)
    else:
        real = tree_texts.PrefixTree.__init__

        def shifted(self, *given):
            real(self, *given)
            self.positions = [*range(len(self.ids))]

        monkeypatch.setattr(tree_texts.PrefixTree, "__init__", shifted)
    assert opened("gpt2", tmp_path).shared_row == 0
