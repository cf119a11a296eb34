"""masked models: log-probabilities and attention are those of obvious code."""

import numpy as np
import pytest
import torch

from models.asked import CLOSE, blanks, plain, same
from support.architectures import MASKED
from tiltmeter.core.model.protocols import Attends, FillsBlanks


@torch.no_grad()
def slow_blank(model, request):
    ids = torch.tensor([request.ids])
    ids[0, list(request.hidden)] = model._mask
    table = plain(model)(input_ids=ids).logits[0].double().log_softmax(-1)
    return np.array([float(table[i, request.ids[i]]) for i in request.read])


@pytest.mark.parametrize("kind", MASKED)
def test_masked_equals_obvious_code(get, kind):
    model = get(kind)
    assert isinstance(model, FillsBlanks)
    assert isinstance(model, Attends)
    requests = blanks(model)
    expected = [slow_blank(model, r) for r in requests]
    assert max(np.ptp(np.concatenate(expected)), 0) > 1  # the model distinguishes tokens
    same(model.blank_logprobs(requests), expected)
    assert model.about["projection"].startswith("only positions that are read")


@pytest.mark.parametrize("kind", MASKED)
def test_attention_equals_obvious_code(get, kind):
    model = get(kind)
    requests = [r for r in blanks(model) if not r.hidden]
    answers = model.attended_logprobs(requests)
    usual = plain(model).config._attn_implementation
    plain(model).set_attn_implementation("eager")
    try:
        for request, answer in zip(requests, answers, strict=True):
            with torch.no_grad():
                maps = plain(model)(
                    input_ids=torch.tensor([request.ids]), output_attentions=True
                ).attentions
            weights = torch.cat(maps).mean((0, 1)).mean(0)  # (t,)
            np.testing.assert_allclose(answer[1], weights, **CLOSE)
            np.testing.assert_allclose(answer[1].sum(), 1, atol=1e-5)
            np.testing.assert_allclose(answer[0], slow_blank(model, request), **CLOSE)
    finally:
        plain(model).set_attn_implementation(usual)
