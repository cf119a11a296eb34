"""Vectors of texts against one-at-a-time obvious code: no batch, no padding, no shortcut."""

import json

import numpy as np
import pytest
import torch

from support.architectures import CAUSAL, MASKED, PERMUTATION, SEQ2SEQ, build, opened
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.protocols import EmbedsPooled, EmbedsStart, EmbedsTexts, EmbedsTokens
from tiltmeter.core.model.requests import Passage
from tiltmeter.models import fake
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve

TEXTS = [
    "He is a nurse.",
    "The old driver was slow and the young clerk was rude.",
    "She was late again",
    "My grandmother fixed the car well at night, nobody knows why.",
    "He is a nurse.",
]
OTHERS = ("mean", "last", "word", "first_piece", "last_piece", "bare_first_piece")
CLOSE = {"atol": 1e-5, "rtol": 1e-5}


def word_in(text, word):
    start = text.index(word)
    return Passage(text, (start, start + len(word)))


PASSAGES = [
    *map(Passage, TEXTS),
    word_in(TEXTS[0], "nurse"),
    word_in(TEXTS[1], "young"),
    word_in(TEXTS[3], "grandmother"),
    word_in(TEXTS[3], "why"),
]


@pytest.fixture(scope="module")
def get():
    return opened


@torch.no_grad()
def slow(model, passage, pooling):
    """The library's plain call on one text, and a mean over a few of its rows."""
    plain, tokenizer = model._loaded.model, model._loaded.tokenizer
    read = tokenizer(
        passage.text,
        add_special_tokens=pooling != "bare_first_piece",
        return_offsets_mapping=True,
        return_special_tokens_mask=True,
        return_token_type_ids=True,
    )
    ids = torch.tensor([read["input_ids"]])
    extra = {}
    if plain.config.model_type == "xlnet":
        extra["token_type_ids"] = torch.tensor([read["token_type_ids"]])
    told = plain.get_encoder() if plain.config.is_encoder_decoder else plain
    layers = told(input_ids=ids, output_hidden_states=True, **extra).hidden_states
    states = layers[-1][0].double().numpy()
    special = read["special_tokens_mask"] if pooling != "bare_first_piece" else [0] * len(states)
    text = [i for i, s in enumerate(special) if not s]
    if passage.at != (0, 0):
        a, b = passage.at
        word = [i for i in text if any(a <= c < b for c in range(*read["offset_mapping"][i]))]
    else:
        word = text
    where = {
        "mean": range(len(states)),
        "last": text[-1:],
        "word": word,
        "first_piece": word[:1],
        "bare_first_piece": word[:1],
        "last_piece": word[-1:],
        "start": [0],
    }[pooling]
    return np.mean([states[i] for i in where], axis=0)


@pytest.mark.parametrize("pooling", OTHERS)
@pytest.mark.parametrize("kind", [*MASKED, *CAUSAL, *SEQ2SEQ, *PERMUTATION])
def test_it_equals_obvious_code(get, kind, pooling):
    model = get(kind)
    found = model.embed(PASSAGES, pooling=pooling)
    expected = np.array([slow(model, one, pooling) for one in PASSAGES])
    assert np.ptp(expected, axis=0).max() > 0.1  # the model distinguishes texts
    np.testing.assert_allclose(found, expected, **CLOSE)


@pytest.mark.parametrize("kind", MASKED)
def test_the_start_token_equals_obvious_code(get, kind):
    model = get(kind)
    found = model.embed(PASSAGES, pooling="start")
    np.testing.assert_allclose(found, [slow(model, one, "start") for one in PASSAGES], **CLOSE)


@pytest.mark.parametrize("kind", ["bert", "gpt2", "t5", "xlnet"])
def test_neither_batches_nor_what_stands_beside_a_text_change_it(get, kind):
    usual, small = get(kind), get(kind, batch_tokens=20)
    together = usual.embed(PASSAGES, pooling="word")
    np.testing.assert_allclose(small.embed(PASSAGES, pooling="word"), together, **CLOSE)
    np.testing.assert_allclose(usual.embed(PASSAGES[::-1], pooling="word")[::-1], together, **CLOSE)
    alone = [usual.embed([one], pooling="word")[0] for one in PASSAGES]
    np.testing.assert_allclose(alone, together, **CLOSE)


@pytest.mark.parametrize("kind", ["bert", "gpt2", "t5", "xlnet"])
def test_neither_the_head_nor_a_text_twice_is_computed(get, kind, monkeypatch):
    model = get(kind)
    read = []
    states = model._embedder._states

    def noting(inputs):
        read.append(inputs["input_ids"].shape[0])
        return states(inputs)

    def head(*_, **__):
        raise AssertionError("the head was asked")

    monkeypatch.setattr(model._embedder, "_states", noting)
    monkeypatch.setattr(model._loaded.model, "forward", head)
    twice = [*PASSAGES[:2], word_in(TEXTS[0], "nurse"), word_in(TEXTS[0], "He")]
    model.embed(twice, pooling="word")
    assert read == [2]  # rows


def test_what_each_kind_can_be_asked(get):
    where = {
        kind: get(kind) and resolve(str(get(kind)._loaded.folder)) for kind in ("bert", "gpt2")
    }
    assert {EmbedsTokens, EmbedsStart} < {*where["bert"].answers}
    assert EmbedsPooled not in where["bert"].answers
    assert EmbedsTexts not in where["bert"].answers
    assert not {EmbedsStart, EmbedsTexts} & {*where["gpt2"].answers}


def test_a_tokenizer_without_a_start_token_is_told_before_anything_is_loaded(tmp_path):
    folder = build("bert", tmp_path / "bert")
    said = json.loads((folder / "tokenizer.json").read_text())
    said["post_processor"] = None
    (folder / "tokenizer.json").write_text(json.dumps(said))
    assert EmbedsStart not in resolve(str(folder)).answers
    model = open_model(resolve(str(folder)))
    with pytest.raises(
        CannotAnswer, match="no special token before a text, so there is no 'start'"
    ):
        model.embed([Passage("he is")], pooling="start")


def test_what_cannot_be_embedded_is_told(get):
    model = get("bert")
    empty, gap = Passage(" "), Passage("he is", (2, 3))
    assert model.passage_lengths([Passage("he is here"), empty, gap]) == [5, 0, 0]
    for passage, says in ((empty, "no token for ' '"), (gap, "no token for ' ' in 'he is'")):
        with pytest.raises(CannotAnswer, match=says):
            model.embed([passage], pooling="word")
    with pytest.raises(CannotAnswer, match=r"no pooling 'own' \(it has mean, last"):
        model.embed([Passage("he is")], pooling="own")
    with pytest.raises(CannotAnswer, match="no pooling 'pooler'"):
        model.embed([Passage("he is")], pooling="pooler")
    long = Passage("he is " * 40)
    assert model.passage_lengths([long]) == [82] > [model.limit]
    with pytest.raises(CannotAnswer, match="at most 64 tokens at once, and a request has 82"):
        model.embed([long], pooling="mean")
    assert model.embed([], pooling="mean").shape == (0, 0)


@pytest.fixture(scope="module", params=["bert", "roberta", "albert", "mpnet"])
def with_pooler(request, tmp_path_factory):
    """A checkpoint whose masked head and pooler are both there."""
    from safetensors.torch import load_file, save_file
    from transformers import AutoConfig, AutoModel

    folder = build(request.param, tmp_path_factory.mktemp("pooler") / request.param)
    torch.manual_seed(5)
    trunk = AutoModel.from_config(AutoConfig.from_pretrained(folder))
    weights = load_file(folder / "model.safetensors")
    prefix = next(iter(weights)).partition(".")[0]
    prefix = {"lm_head": request.param, "cls": "bert", "predictions": "albert"}.get(prefix, prefix)
    own = {
        f"{prefix}.{name}": value.clone() * 5
        for name, value in trunk.state_dict().items()
        if "pooler" in name
    }
    assert own
    save_file(weights | own, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


def test_the_checkpoints_own_pooler(with_pooler):
    from transformers import AutoModel

    where = resolve(str(with_pooler))
    assert EmbedsPooled in where.answers
    model = open_model(where)
    found = model.embed(PASSAGES, pooling="pooler")
    plain = AutoModel.from_pretrained(with_pooler).eval()
    tokenizer = model._loaded.tokenizer
    with torch.no_grad():
        expected = [
            plain(input_ids=torch.tensor([tokenizer(one.text)["input_ids"]])).pooler_output[0]
            for one in PASSAGES
        ]
    assert np.ptp(np.array(expected), axis=0).max() > 0.1
    np.testing.assert_allclose(found, np.array(expected), **CLOSE)
    # the rest of the model is held once
    assert np.allclose(
        model.embed(PASSAGES, pooling="start"),
        [slow(model, p, "start") for p in PASSAGES],
        atol=1e-5,
    )


def test_the_pooler_in_reduced_precision(with_pooler):
    options = Options(precision="bfloat16")
    where = resolve(str(with_pooler))
    rough = open_model(where, options).embed(PASSAGES, pooling="pooler")
    exact = open_model(where).embed(PASSAGES, pooling="pooler")
    assert rough.dtype == np.float32
    assert np.corrcoef(rough.ravel(), exact.ravel())[0, 1] > 0.9


def test_models_that_do_not_ignore_padding_are_given_none(get, monkeypatch):
    model = get("bert")
    monkeypatch.setattr(model._embedder, "_sort", lambda length: length)
    shapes = []
    states = model._embedder._states

    def noting(inputs):
        shapes.append(inputs["attention_mask"].min().item())
        return states(inputs)

    monkeypatch.setattr(model._embedder, "_states", noting)
    model.embed(PASSAGES, pooling="mean")
    assert set(shapes) == {1}


@pytest.mark.parametrize("kind", ["", "masked", "causal", "vectors"])
def test_made_up_models_find_shared_words_near(kind):
    model = fake.load(kind)
    pooling = "own" if kind == "vectors" else "mean"
    nurse, pilot, other = (
        v / np.linalg.norm(v)
        for v in model.embed(
            [Passage("he is a nurse"), Passage("he is a pilot"), Passage("two cars")],
            pooling=pooling,
        )
    )
    assert nurse @ pilot > nurse @ other + 0.2
    assert model.passage_lengths([Passage(""), Passage("he")])[0] == 0


def test_made_up_word_vectors_lack_words_with_digits():
    model = fake.load("vectors")
    assert model.passage_lengths([Passage("4th"), Passage("the 4th")]) == [0, 1]
    one, other = model.embed([Passage("the 4th"), Passage("the")], pooling="own")
    np.testing.assert_array_equal(one, other)
    for pooling in ("mean", "word"):
        with pytest.raises(CannotAnswer, match="no pooling"):
            model.embed([Passage("the")], pooling=pooling)
    with pytest.raises(CannotAnswer, match="no vector of"):
        model.embed([Passage("4th")], pooling="own")
