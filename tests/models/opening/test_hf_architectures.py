"""Every architecture against one-at-a-time obvious code: no batch, no padding, no shortcut."""

import numpy as np
import pytest
import torch

from models.asked import CLOSE, TEXTS, continuations, plain, same
from support.architectures import CAUSAL, SEQ2SEQ, build
from tiltmeter.core.errors import BadInput
from tiltmeter.core.model.protocols import Continues
from tiltmeter.core.model.requests import Continuation
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve


@torch.no_grad()
def slow_causal(model, request):
    whole = [*([model._start] if request.start else []), *request.context, *request.ids]
    table = plain(model)(input_ids=torch.tensor([whole])).logits[0].double().log_softmax(-1)
    first = len(whole) - len(request.ids)
    return np.array([float(table[i - 1, whole[i]]) for i in range(first, len(whole))])


@pytest.mark.parametrize("kind", CAUSAL)
def test_causal_equals_obvious_code(get, kind):
    model = get(kind)
    assert isinstance(model, Continues)
    requests = continuations(model)
    requests += [Continuation(t.ids[:1], t.ids[1:], start=False) for t in model.encode(TEXTS)]
    same(model.continuation_logprobs(requests), [slow_causal(model, r) for r in requests])
    assert model.about["projection"].startswith("only positions that are read")
    assert model.about["start token"]


@pytest.mark.parametrize("kind", SEQ2SEQ)
def test_seq2seq_equals_obvious_code(get, kind):
    model = get(kind)
    tokenizer = model._loaded.tokenizer
    blank = "<mask>" if kind == "bart" else "<extra_id_0>"
    for request in continuations(model):
        context = tokenizer.decode(request.context)
        (source,) = [tokenizer(f"{context}")["input_ids"]]
        tail = source[-1:]
        lead = source[:1] if kind == "bart" else []
        source = [*lead, *request.context, tokenizer.convert_tokens_to_ids(blank), *tail]
        start = plain(model).config.decoder_start_token_id
        prefix = [
            start,
            tokenizer.bos_token_id if kind == "bart" else tokenizer.convert_tokens_to_ids(blank),
        ]
        target = [*prefix, *request.ids]
        with torch.no_grad():
            table = (
                plain(model)(
                    input_ids=torch.tensor([source]), decoder_input_ids=torch.tensor([target])
                )
                .logits[0]
                .double()
                .log_softmax(-1)
            )
        expected = [float(table[i - 1, target[i]]) for i in range(2, len(target))]
        np.testing.assert_allclose(model.continuation_logprobs([request])[0], expected, **CLOSE)
    assert blank in str(model.about["asked by"])
    same(
        model.continuation_logprobs(continuations(model)),
        [model.continuation_logprobs([r])[0] for r in continuations(model)],
    )


def test_case(get):
    assert not get("bert").cased
    assert get("roberta").cased


def test_start_token(get):
    assert get("gpt2").about["start token"] == "<s> (beginning of text)"
    assert "end of text" in str(get("qwen2").about["start token"])
    other = get("gpt2", start_token="</s>")
    assert other.about["start token"] == "</s> (as asked)"
    assert other.fingerprint != get("gpt2").fingerprint
    request = Continuation((), other.encode(["he"])[0].ids)
    assert other._start != get("gpt2")._start
    np.testing.assert_allclose(
        other.continuation_logprobs([request])[0], slow_causal(other, request), **CLOSE
    )
    with pytest.raises(BadInput, match="not a token of its vocabulary"):
        get("gpt2", start_token="<nothing like it>")


def test_a_continuation_from_nothing_needs_a_start(get):
    with pytest.raises(BadInput, match="needs a context"):
        get("gpt2").continuation_logprobs([Continuation((), (5,), start=False)])
    with pytest.raises(BadInput, match="start token"):
        get("t5").continuation_logprobs([Continuation((5,), (5,), start=False)])


def test_fingerprints_tell_models_and_precisions_apart(get):
    names = [get("bert"), get("roberta"), get("bert", precision="bfloat16")]
    assert len({m.fingerprint for m in names}) == 3
    assert get("bert", batch_tokens=7).fingerprint == get("bert").fingerprint


@pytest.mark.parametrize("library", ["torch", "transformers"])
def test_fingerprints_tell_releases_of_the_libraries_apart(library, tmp_path, monkeypatch):
    where = resolve(str(build("gpt2", tmp_path)))
    before = open_model(where, Options(device="cpu")).fingerprint
    monkeypatch.setattr(f"{library}.__version__", "5.22.0")
    assert open_model(where, Options(device="cpu")).fingerprint != before
