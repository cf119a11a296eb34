"""What must never be scored in silence, and what must never end in another library's error."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from models.opening.spoilt import edit
from tiltmeter.core.errors import BadInput, CannotAnswer, TiltmeterError, Unavailable
from tiltmeter.core.model.requests import Blanked, Continuation
from tiltmeter.models.opening.model_kinds import CHAT_TEMPLATES
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.models.reading import token_logprobs


@pytest.mark.parametrize(
    ("kind", "architecture"),
    [
        ("roberta", "RobertaForCausalLM"),
        ("xlmr", "XLMRobertaForCausalLM"),
        ("electra", "ElectraForCausalLM"),
    ],
)
def test_an_encoder_under_a_causal_head_is_refused(built, kind, architecture):
    with pytest.raises(CannotAnswer, match="reads in both directions"):
        resolve(edit(built(kind), architectures=[architecture]))


def test_as_a_decoder_it_reads_from_left_to_right(built):
    model = open_model(
        resolve(edit(built("roberta"), architectures=["RobertaForCausalLM"], is_decoder=True))
    )
    short, long = (Continuation((), (7, 8, 9, *more)) for more in ((), (10, 11, 12)))
    one, other = model.continuation_logprobs([short, long])
    np.testing.assert_allclose(one, other[:3], atol=1e-5)


def test_what_looks_ahead_is_found_out_when_opened(built, monkeypatch):
    """Were the configuration's word not checked, the weights themselves would give it away."""
    monkeypatch.setattr("tiltmeter.models.opening.model_kinds._sees_both_sides", lambda *_: False)
    where = resolve(edit(built("roberta"), architectures=["RobertaForCausalLM"]))
    with pytest.raises(CannotAnswer, match="changes with what follows"):
        open_model(where)


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("tokenizer.json", "{broken", "tokenizer.json cannot be read"),
        ("tokenizer.json", "{}", "does not load"),
        ("tokenizer.json", '{"version": "1.0"}', "does not load"),
        ("tokenizer.json", "", "tokenizer.json cannot be read"),
        ("tokenizer.json", "[" * 100_000, "tokenizer.json cannot be read .it is nested too deeply"),
        ("tokenizer_config.json", "null", "tokenizer_config.json is not a JSON object"),
        ("special_tokens_map.json", "[]", "special_tokens_map.json is not a JSON object"),
    ],
)
def test_damaged_tokenizers_are_named(built, name, text, says):
    folder = built("bert")
    (folder / name).write_text(text)
    with pytest.raises(Unavailable, match=rf"bert-.* does not load.*{says}|bert-.* {says}"):
        open_model(resolve(str(folder)))


def test_requests_beyond_the_limit_are_refused(built):
    bert, gpt2 = (open_model(resolve(str(built(kind)))) for kind in ("bert", "gpt2"))
    ids = (5,) * 65
    for ask in (bert.blank_logprobs, bert.attended_logprobs):
        with pytest.raises(CannotAnswer, match=r"at most 64 tokens .* 65"):
            ask([Blanked(ids, (1,), (1,))])
    with pytest.raises(CannotAnswer, match=r"at most 63 tokens .* 65"):
        gpt2.continuation_logprobs([Continuation((5,), (5,) * 64)])


@pytest.mark.parametrize(
    ("kind", "limit"),
    [
        ("bert", 64),
        ("roberta", 64),  # of 66 positions two lie before the first token's
        ("mpnet", 64),
        ("xlmr", 64),
        ("gpt2", 63),  # the start token takes one
        ("bart", 61),  # the source is the context with two marks and the blank
        ("t5", None),  # positions are relative
    ],
)
def test_the_limit_where_the_tokenizer_names_none(built, kind, limit):
    folder = built(kind)
    path = folder / "tokenizer_config.json"
    config = json.loads(path.read_text())
    path.write_text(json.dumps(config | {"model_max_length": int(1e30)}))
    assert open_model(resolve(str(folder))).limit == limit


def test_half_a_character_is_refused(built):
    with pytest.raises(BadInput, match="surrogate"):
        open_model(resolve(str(built("bert")))).encode(["fine", "not \ud800 fine"])


def test_nothing_asked_nothing_answered(built):
    bert, gpt2, t5 = (open_model(resolve(str(built(k)))) for k in ("bert", "gpt2", "t5"))
    assert bert.blank_logprobs([]) == bert.attended_logprobs([]) == []
    assert gpt2.continuation_logprobs([]) == []
    (none,) = bert.blank_logprobs([Blanked((5, 6), (1,), ())])
    assert none.shape == (0,)
    for model in (gpt2, t5):
        empty, one = model.continuation_logprobs([Continuation((4,), ()), Continuation((), (4,))])
        assert (empty.shape, one.shape) == ((0,), (1,))


def test_attention_that_is_not_shares_of_one_is_refused(built, monkeypatch):
    """Some architectures hand out the raw scores."""
    model = open_model(resolve(str(built("bert"))))
    honest = token_logprobs.Reader.with_attention

    def raw(*args):
        logprobs, maps = honest(*args)
        return logprobs, [2 * layer for layer in maps]

    monkeypatch.setattr(token_logprobs.Reader, "with_attention", raw)
    with pytest.raises(CannotAnswer, match="shares of 1"):
        model.attended_logprobs([Blanked((5, 6, 7), (), (1,))])


@pytest.mark.parametrize("kind", ["bert", "modernbert", "gpt2", "bart", "t5"])
def test_the_head_runs_in_blocks_and_the_trunk_once(built, monkeypatch, kind):
    model = open_model(resolve(str(built(kind))))
    ids = tuple(range(6, 20))
    if kind in {"bert", "modernbert"}:
        ask, requests = model.blank_logprobs, [Blanked(ids, (2,), tuple(range(14)))] * 2
    else:
        ask, requests = model.continuation_logprobs, [Continuation((), ids)] * 2
    whole = ask(requests)
    layers = []
    layer = next(m for m in model._loaded.model.modules() if type(m).__name__.endswith(LAYERS))
    counted = layer.register_forward_hook(lambda *_: layers.append(1))
    monkeypatch.setattr(token_logprobs, "LOGITS", 5 * int(model.about["vocabulary"]))
    blocks = ask(requests)
    counted.remove()
    # T5's encoder stands outside the trunk; it reads two tokens, so that asking it again is cheap
    assert len(layers) == 1 if kind != "t5" else len(layers) > 1
    for a, b in zip(whole, blocks, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-5)
    assert "forward" not in vars(model._reader._projector._trunk)


LAYERS = ("BertLayer", "EncoderLayer", "GPT2Block", "T5Block")


class Hub:
    """Stands in for the hub, which no test can reach: a folder, and what was asked of it."""

    def __init__(self, folder, monkeypatch):
        self.folder, self.asked = folder, []
        monkeypatch.setattr("huggingface_hub.snapshot_download", self.download)

    def download(self, repo, *, allow_patterns, **_):
        self.asked.append((repo, allow_patterns))
        return str(self.folder)


def test_of_a_hub_model_only_the_configuration_is_fetched_before_it_is_refused(built, monkeypatch):
    hub = Hub(built("bert"), monkeypatch)
    with pytest.raises(CannotAnswer, match="Use masked:someone/some-bert"):
        resolve("causal:someone/some-bert")
    told_by = ["config.json", "next_sentence.json", "modules.json", *CHAT_TEMPLATES]
    assert hub.asked == [("someone/some-bert", told_by)]
    where = resolve("someone/some-bert")
    assert (where.scheme, where.location) == ("masked", "someone/some-bert")
    assert len(hub.asked) == 2
    assert all("*.safetensors" not in patterns for _, patterns in hub.asked)
    assert open_model(where).about["architecture"] == "BertForMaskedLM"
    (_, patterns) = hub.asked[-1]
    assert "*.safetensors" in patterns
    assert not {"*.bin", "*.py"} & set(patterns)


def test_pickles_and_code_are_not_even_fetched_unasked(built, monkeypatch):
    folder = built("bert")
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    hub = Hub(folder, monkeypatch)
    with pytest.raises(Unavailable, match="--allow-pickle"):
        open_model(resolve("someone/old-bert"))
    assert not any("*.bin" in patterns for _, patterns in hub.asked)
    with pytest.raises(Unavailable):  # no pickle either, but it was allowed and asked for
        open_model(resolve("someone/old-bert"), Options(allow_pickle=True, trust_remote_code=True))
    assert "*.bin" in hub.asked[-1][1]
    assert "*.py" in hub.asked[-2][1]


def test_tokenizers_with_odd_parts(built, capfd):
    bert = built("bert")
    (file,) = bert.glob("tokenizer.json")
    said = json.loads(file.read_text())
    config = bert / "tokenizer_config.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | {"model_max_length": "many"}))
    assert "note" not in open_model(resolve(str(bert))).about
    file.write_text(json.dumps(said | {"post_processor": None}))
    assert "adds no [CLS]" in open_model(resolve(str(bert))).about["note"]
    broken = {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "[NO]", "type_id": 0}}],
              "pair": [], "special_tokens": {}}  # fmt: skip
    file.write_text(json.dumps(said | {"post_processor": broken}))
    with pytest.raises(TiltmeterError):
        open_model(resolve(str(bert)))
    assert capfd.readouterr().err == ""  # where Rust prints its panics
    os.write(2, b"seen")
    assert capfd.readouterr().err == "seen"


def test_tables_of_a_library_that_was_replaced_after_its_import_are_not_remembered(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path))
    code = (
        "from tiltmeter.models.opening.model_kinds import auto_tables\n"
        "print('llama' in auto_tables().MODEL_FOR_CAUSAL_LM_MAPPING_NAMES)"
    )
    older = (
        "from transformers.models.auto import modeling_auto\n"
        "del modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES['llama']\n"
    )

    def known(code):
        command = [sys.executable, "-c", code]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    assert [known(older + code), known(code), known(older + code)] == ["False", "True", "False"]
