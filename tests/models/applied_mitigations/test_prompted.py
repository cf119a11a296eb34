"""Self-debias decoding: against slow code that says the formula, and what must hold whatever the model."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
import torch
import transformers

from support.architectures import CAUSAL, MASKED, PERMUTATION, SEQ2SEQ, build
from support.architectures import opened as shared
from tiltmeter.core.errors import BadInput, CannotAnswer, UnknownName
from tiltmeter.core.model.protocols import (
    Attends,
    Continues,
    EmbedsTokens,
    FillsBlanks,
    ReadsOut,
    ReadsUnhidden,
)
from tiltmeter.core.model.requests import Blanked, Continuation
from tiltmeter.mitigate.mitigation_config import PromptConfig
from tiltmeter.mitigate.prompt import prompt, published
from tiltmeter.mitigate.transfer import apply
from tiltmeter.models.applied_mitigations import prompted
from tiltmeter.models.applied_mitigations.prompted import Prompts, against, scaled
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve

PROMPTS = ("The old driver was rude: ", "He is late. ")
TEXTS = ["He is a nurse and she is a pilot.", "Nobody knows why.", "Men hate cold soup."]
OPTIONS = Options(device="cpu")


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("m")
    made = {}

    def one(kind):
        if kind not in made:
            made[kind] = build(kind, folder / kind)
        return made[kind]

    return one


def opened(place):
    return open_model(resolve(str(place), OPTIONS), OPTIONS)


def with_prompts(model, prompts=PROMPTS, decay=50.0, epsilon=0.01):
    return against(model, Prompts(tuple(prompts), decay, epsilon, {}))


def asked(model):
    """Some blanks, one and several at a time, or some continuations."""
    tokens = model.encode(TEXTS)
    if hasattr(model, "blank_logprobs"):
        own = [[i for i, special in enumerate(t.special) if not special] for t in tokens]
        one = [Blanked(t.ids, (i,), (i,)) for t, at in zip(tokens, own, strict=True) for i in at]
        two = [
            Blanked(t.ids, tuple(at[:2]), tuple(at[:2])) for t, at in zip(tokens, own, strict=True)
        ]
        return model.blank_logprobs, [*one, *two]
    parts = [Continuation(t.ids[:2], t.ids[2:]) for t in tokens]
    return model.continuation_logprobs, [*(Continuation((), t.ids) for t in tokens), *parts]


def answers(model, requests):
    blanks = hasattr(model, "blank_logprobs")
    return (model.blank_logprobs if blanks else model.continuation_logprobs)(requests)


# ── The formula ──────────────────────────────────────────────────────────────────────────────────


def by_the_paper(plain, biased, decay, epsilon):
    """Word by word, as the paper writes it: α of the smallest Δ, bounded below, and then a sum of 1."""
    weighed = []
    for w, p in enumerate(plain):
        delta = min(p - one[w] for one in biased)
        alpha = 1.0 if delta >= 0 else math.exp(decay * delta)
        weighed.append(p * max(alpha, epsilon))
    return [value / sum(weighed) for value in weighed]


def test_a_word_that_the_prompt_makes_likelier_loses():
    """By hand: .2 becomes .4 behind the prompt, so that it counts exp(-50 · .2) = .000045, bounded by .01."""
    logits = torch.tensor([[0.5, 0.3, 0.2]]).log()
    biased = torch.tensor([[0.4, 0.2, 0.4]])
    total = 0.5 + 0.3 + 0.2 * 0.01
    for word, expected in enumerate((0.5 / total, 0.3 / total, 0.002 / total)):
        (found,) = scaled(logits, biased, torch.tensor([word]), Prompts(("x",), 50.0, 0.01, {}))
        assert math.exp(found) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(
    ("decay", "epsilon"), [(50, 0.01), (5, 0.0), (1000, 0.001), (0, 0), (9, 1)]
)
def test_it_is_the_papers_formula(decay, epsilon):
    rng = np.random.default_rng(3)
    plain = rng.dirichlet(np.full(40, 0.3), size=6)
    biased = rng.dirichlet(np.full(40, 0.3), size=(2, 6))
    logits = torch.from_numpy(np.log(plain)).float()
    most = torch.from_numpy(biased.max(0)).float()
    for word in range(40):
        found = scaled(logits, most, torch.full((6,), word), Prompts(("x",), decay, epsilon, {}))
        expected = [by_the_paper(plain[i], biased[:, i], decay, epsilon)[word] for i in range(6)]
        assert found == pytest.approx(np.log(expected), abs=2e-4)


def test_a_distribution_stays_one():
    rng = np.random.default_rng(4)
    logits = torch.from_numpy(rng.normal(size=(1, 300)) * 4).float().expand(300, 300)
    biased = torch.from_numpy(rng.dirichlet(np.full(300, 0.1))).float().expand(300, 300)
    found = scaled(logits, biased, torch.arange(300), Prompts(("x",), 50.0, 0.01, {}))
    assert np.exp(found).sum() == pytest.approx(1, abs=1e-5)


# ── Models ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", [*MASKED, *CAUSAL, *SEQ2SEQ, *PERMUTATION])
@pytest.mark.parametrize("numbers", [{"decay": 0.0}, {"epsilon": 1.0}])
def test_no_decay_and_a_full_bound_give_the_model_itself(kind, numbers):
    model = shared(kind)
    ask, requests = asked(model)
    for one, other in zip(
        ask(requests), answers(with_prompts(model, **numbers), requests), strict=True
    ):
        np.testing.assert_allclose(one, other, atol=1e-4)


@pytest.mark.parametrize("kind", [*MASKED, *CAUSAL, *SEQ2SEQ, *PERMUTATION])
def test_answers_do_not_depend_on_what_is_asked_together(kind, monkeypatch):
    model = with_prompts(shared(kind), decay=1000.0)  # so that prompts change more than is rounded
    _, requests = asked(model)
    together = answers(model, requests)
    alone = [answers(model, [request])[0] for request in requests[::4]]
    monkeypatch.setattr(prompted, "FEWEST", 1)
    small = answers(model, requests)
    for one, two in zip(together, small, strict=True):
        np.testing.assert_allclose(one, two, atol=2e-3)
    for one, two in zip(together[::4], alone, strict=True):
        np.testing.assert_allclose(one, two, atol=2e-3)
    plain = answers(shared(kind), requests)
    assert max(np.abs(a - b).max() for a, b in zip(together, plain, strict=True)) > 4e-3


@pytest.mark.parametrize("kind", ["bert", "roberta", "albert"])
def test_a_masked_model_reads_the_prompt_before_the_sentence(models, kind):
    """Against transformers alone: one text, one blank, one prompt at a time."""
    place = models(kind)
    model = transformers.AutoModelForMaskedLM.from_pretrained(place).eval()
    ours = with_prompts(opened(place), decay=20.0)
    tokenizer = transformers.AutoTokenizer.from_pretrained(place)
    (tokens,) = ours.encode(TEXTS[:1])
    prefixes = [tokenizer(text, add_special_tokens=False)["input_ids"] for text in PROMPTS]
    for at in range(1, len(tokens.ids) - 1):
        rows = []
        for prefix in ([], *prefixes):
            ids = [tokens.ids[0], *prefix, *tokens.ids[1:]]
            ids[at + len(prefix)] = tokenizer.mask_token_id
            with torch.no_grad():
                logits = model(torch.tensor([ids])).logits[0, at + len(prefix)]
            rows.append(logits.double().softmax(-1).tolist())
        expected = by_the_paper(rows[0], rows[1:], 20.0, 0.01)[tokens.ids[at]]
        (found,) = ours.blank_logprobs([Blanked(tokens.ids, (at,), (at,))])
        assert found == pytest.approx([math.log(expected)], abs=2e-3)


@pytest.mark.parametrize("kind", ["gpt2", "llama"])
@pytest.mark.parametrize("start", [True, False])
def test_a_causal_model_reads_it_behind_the_start_token(models, kind, start):
    place = models(kind)
    model = transformers.AutoModelForCausalLM.from_pretrained(place).eval()
    ours = with_prompts(opened(place), decay=20.0)
    tokenizer = transformers.AutoTokenizer.from_pretrained(place)
    (tokens,) = ours.encode(TEXTS[:1])
    first = [tokenizer.bos_token_id] if start else []
    given = Continuation(tokens.ids[:2], tokens.ids[2:], start=start)
    prefixes = [tokenizer(text, add_special_tokens=False)["input_ids"] for text in PROMPTS]
    (found,) = ours.continuation_logprobs([given])
    rows = []
    for prefix in ([], *prefixes):
        ids = [*first, *prefix, *tokens.ids]
        with torch.no_grad():
            rows.append(
                model(torch.tensor([ids]))
                .logits[0]
                .double()
                .softmax(-1)[len(first) + len(prefix) :]
            )
    for k, token in enumerate(tokens.ids[2:], start=2):
        before = [row[k - 1].tolist() for row in rows]
        expected = by_the_paper(before[0], before[1:], 20.0, 0.01)[token]
        assert found[k - 2] == pytest.approx(math.log(expected), abs=2e-3)


def test_a_sequence_to_sequence_model_reads_it_in_the_source(models):
    """T5: the source is prompt, context, blank and end; the decoder's text is as it was."""
    place = models("t5")
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(place).eval()
    ours = with_prompts(opened(place), decay=20.0)
    tokenizer = transformers.AutoTokenizer.from_pretrained(place)
    (tokens,) = ours.encode(TEXTS[:1])
    blank, end = tokenizer.convert_tokens_to_ids(["<extra_id_0>", "</s>"])
    rows = []
    for prefix in ([], *(tokenizer(p, add_special_tokens=False)["input_ids"] for p in PROMPTS)):
        source = torch.tensor([[*prefix, *tokens.ids[:2], blank, end]])
        target = torch.tensor([[model.config.decoder_start_token_id, blank, *tokens.ids[2:]]])
        with torch.no_grad():
            logits = model(input_ids=source, decoder_input_ids=target).logits[0]
        rows.append(logits.double().softmax(-1)[1:])
    (found,) = ours.continuation_logprobs([Continuation(tokens.ids[:2], tokens.ids[2:])])
    for k, token in enumerate(tokens.ids[2:]):
        before = [row[k].tolist() for row in rows]
        expected = by_the_paper(before[0], before[1:], 20.0, 0.01)[token]
        assert found[k] == pytest.approx(math.log(expected), abs=2e-3)


def test_prompts_take_room_and_make_another_model(models):
    model = opened(models("gpt2"))
    ours = with_prompts(model)
    assert ours.limit == model.limit - max(len(model.encode([text])[0].ids) for text in PROMPTS)
    assert ours.fingerprint != model.fingerprint
    assert ours.fingerprint != with_prompts(model, decay=49.0).fingerprint
    assert ours.fingerprint != with_prompts(model, PROMPTS[:1]).fingerprint
    assert ours.fingerprint == with_prompts(model).fingerprint


# ── Folders ──────────────────────────────────────────────────────────────────────────────────────


def gendered(models, tmp_path):
    return PromptConfig(str(models("bert")), "gender", str(tmp_path / "m"))


def test_a_folder_is_opened_and_answers_only_what_is_defined(models, tmp_path):
    folder = prompt(gendered(models, tmp_path), OPTIONS)
    where = resolve(f"mitigated:{folder}", OPTIONS)
    assert {FillsBlanks, ReadsUnhidden} <= set(where.answers)
    assert not {Attends, ReadsOut, EmbedsTokens} & set(where.answers)
    model = open_model(where, OPTIONS)
    assert model.about["mitigation"] == "self_debias"
    assert model.about["prompts"] == published()["gender"][0]
    plain = opened(models("bert"))
    (tokens,) = model.encode(TEXTS[:1])
    requests = [Blanked(tokens.ids, (2,), (2,))]
    by_hand = with_prompts(plain, published()["gender"])
    assert model.blank_logprobs(requests)[0] == pytest.approx(by_hand.blank_logprobs(requests)[0])
    rude = PromptConfig(str(models("gpt2")), "x", str(tmp_path / "n"), ("Rude: ",))
    causal = resolve(f"mitigated:{prompt(rude, OPTIONS)}")
    assert Continues in causal.answers


def test_prompts_can_be_put_before_another_model(models, tmp_path):
    folder = prompt(gendered(models, tmp_path), OPTIONS)
    other = apply(folder, str(models("gpt2")), tmp_path / "n", OPTIONS)
    assert open_model(resolve(f"mitigated:{other}", OPTIONS), OPTIONS).continuation_logprobs
    with pytest.raises(CannotAnswer, match="no probabilities of words"):
        resolve(f"mitigated:{folder},fake")


@pytest.mark.parametrize(
    ("changes", "error", "says"),
    [
        ({"attribute": "gendre"}, UnknownName, "Did you mean 'gender'"),
        ({"prompts": ("  ",)}, BadInput, "a prompt is empty"),
        (
            {"prompts": ("the old driver " * 40,)},
            CannotAnswer,
            "reads at most 64 tokens.*no text fits",
        ),
        ({"decay": -1.0}, BadInput, r"decay is -1\.0; it must be a number from 0 up"),
        ({"decay": math.nan}, BadInput, "decay is nan"),
        ({"epsilon": 1.5}, BadInput, r"epsilon is 1\.5; it must be a number from 0 to 1"),
        (
            {"model": "fake:masked"},
            CannotAnswer,
            "no probabilities of words that a prompt could change",
        ),
    ],
)
def test_what_cannot_be_used_is_told(models, tmp_path, changes, error, says):
    with pytest.raises(error, match=says):
        prompt(replace(gendered(models, tmp_path), **changes), OPTIONS)
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize(
    "damage", [{"prompts": []}, {"prompts": "x"}, {"decay": "50"}, {"epsilon": 7}, {"prompts": [3]}]
)
def test_damaged_folders_are_told(models, tmp_path, damage):
    folder = prompt(gendered(models, tmp_path), OPTIONS)
    said = json.loads((folder / "mitigation.json").read_text())
    (folder / "mitigation.json").write_text(json.dumps(said | damage))
    with pytest.raises(BadInput, match=r"mitigation.json: its prompts, decay or epsilon"):
        opened(f"mitigated:{folder}")
