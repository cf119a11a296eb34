"""Rules for continued texts and next sentences against obvious code that asks the plain model text by text.

The models are small and random: what is tested is the arithmetic. The published procedures are
written again, step by step, as the study's page describes them.
"""

import math

import numpy as np
import pytest
import torch

from scoring.plain_models import BETWEEN, PUBLISHED, RULE, WITHIN, Both, close, cut, found
from support.architectures import build
from tiltmeter.core.data.items import Triple
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.rules import Context
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.planning.choosing import choose
from tiltmeter.studies.stereoset import STUDY


@pytest.fixture(scope="module", params=["bert", "roberta"])
def masked(request, tmp_path_factory):
    return Both(build(request.param, tmp_path_factory.mktemp(request.param)))


@pytest.fixture(scope="module")
def causal(tmp_path_factory):
    return Both(build("gpt2", tmp_path_factory.mktemp("gpt2")))


def test_sentence_logprob(causal):
    for record, triple in zip(causal.score("sentence_logprob", WITHIN), WITHIN, strict=True):
        expected = []
        for text in triple.filled:
            ids = causal.ids(text, special=False)
            logits = causal.logprobs([causal.tokenizer.bos_token_id, *ids])
            expected.append(np.mean([float(logits[i, token]) for i, token in enumerate(ids)]))
        assert found([record], triple.id) == close(expected)


def test_the_published_sentence(causal):
    """The first token after the start token, the rest without it; the file's own spelling."""
    triple = Triple("g", "intrasentence", "The CLERK is BLANK.",
                    ("The clerk is slow.", "The clerk is rude.", "The clerk is soup."),
                    "clerk", "job", ("slow", "rude", "soup"))  # fmt: skip
    expected = []
    for text in triple.sentences:
        ids = causal.ids(text, special=False)
        first = float(causal.logprobs([causal.tokenizer.bos_token_id])[0, ids[0]])
        logits = causal.logprobs(ids)
        rest = [float(logits[i, token]) for i, token in enumerate(ids[1:])]
        expected.append(np.mean([first, *rest]))
    assert found(causal.score("sentence_logprob", [triple], PUBLISHED), "g") == close(expected)
    paper = found(causal.score("sentence_logprob", [triple]), "g")
    assert paper != pytest.approx(expected, abs=1e-3)


def test_likelihood_ratio(causal):
    for record, triple in zip(causal.score("likelihood_ratio", BETWEEN), BETWEEN, strict=True):
        expected = []
        for sentence in triple.sentences:
            start = causal.tokenizer.bos_token_id
            text = f"{triple.context} {sentence}"
            before, after, rest = cut(causal, text, len(triple.context) + 1, len(text))
            assert not rest
            given = causal.logprobs([start, *before, *after])
            alone = causal.logprobs([start, *after])
            at = len(before)
            expected.append(sum(float(given[at + i, t] - alone[i, t]) for i, t in enumerate(after)))
        assert found([record], triple.id) == close(expected)


def test_plain_likelihood_between_sentences(causal):
    records = causal.score("continuation_logprob", BETWEEN)
    for record, triple in zip(records, BETWEEN, strict=True):
        expected = []
        for sentence in triple.sentences:
            text = f"{triple.context} {sentence}"
            before, after, _ = cut(causal, text, len(triple.context) + 1, len(text))
            given = causal.logprobs([causal.tokenizer.bos_token_id, *before, *after])
            at = len(before)
            expected.append(np.mean([float(given[at + i, t]) for i, t in enumerate(after)]))
        assert found([record], triple.id) == close(expected)
        assert record.scores["tokens_stereotype"] == len(
            cut(causal, f"{triple.context} {triple.sentences[0]}", len(triple.context) + 1,
                len(f"{triple.context} {triple.sentences[0]}"))[1]
        )  # fmt: skip


@pytest.fixture(scope="module")
def two_heads(tmp_path_factory):
    """A BERT with both heads, as published checkpoints have them under a masked name."""
    from transformers import BertConfig, BertForPreTraining

    from support.next_heads import reading_pairs

    folder = reading_pairs("bert", tmp_path_factory.mktemp("two"))
    torch.manual_seed(3)
    config = BertConfig.from_pretrained(folder)
    model = BertForPreTraining(config)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(4)
    model.config.architectures = ["BertForMaskedLM"]
    model.save_pretrained(folder)
    text = (folder / "config.json").read_text().replace("BertForPreTraining", "BertForMaskedLM")
    (folder / "config.json").write_text(text)
    return folder, model.eval()


def test_a_masked_checkpoint_with_bert_s_own_head(two_heads):
    folder, plain = two_heads
    where = resolve(str(folder), Options())
    chosen = choose(STUDY, where.answers, model="m")
    assert chosen.rule.name == "blank_logprob+next_sentence"
    ours = open_model(where, Options())
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    pairs = [(t.context, s) for t in BETWEEN for s in t.sentences]
    expected = []
    for first, second in pairs:
        with torch.no_grad():
            inputs = tokenizer(first, second, return_tensors="pt", return_token_type_ids=True)
            out = plain(**inputs)
        expected.append(float(out.seq_relationship_logits[0].double().log_softmax(-1)[0]))
    assert ours.next_logprobs(pairs).tolist() == close(expected)
    assert ours.pair_lengths(pairs) == [len(tokenizer(a, b)["input_ids"]) for a, b in pairs]
    both = chosen.rule.score(ours, [BETWEEN[0], WITHIN[0]], Context())
    assert [r.item for r in both] == ["e", "a"]
    assert found(both, "e") == close(expected[:3])
    # the masked head is what it was, and the body is held once
    assert ours._judge.logits.__closure__ is not None
    ids = tokenizer(WITHIN[0].filled[0])["input_ids"]
    with torch.no_grad():
        said = plain(input_ids=torch.tensor([ids])).prediction_logits[0].log_softmax(-1)
    from tiltmeter.core.model.requests import Blanked

    (answer,) = ours.blank_logprobs([Blanked(tuple(ids), (), (2,))])
    assert float(answer[0]) == close(float(said[2, ids[2]]))


def test_without_the_head_the_rule_is_refused(masked):
    with pytest.raises(CannotAnswer, match=r"next_sentence.*next-sentence head.*train") as error:
        choose(STUDY, masked.where.answers, model="m", rule="next_sentence")
    assert "pll_context_given_attribute" in str(error.value)
    with pytest.raises(CannotAnswer, match="no next-sentence head"):
        masked.ours.next_logprobs([("a", "b")])


def test_near_certain_judgments_tie_as_32_bit_probabilities():
    class Sure:
        pair_limit, name = None, "sure"

        def pair_lengths(self, pairs):
            return [2] * len(pairs)

        def next_logprobs(self, pairs):
            return np.array([-1e-9, -2e-9, -3.0])[: len(pairs)]

    (exact,) = RULE["next_sentence"].score(Sure(), BETWEEN[:1], Context())
    (rounded,) = RULE["next_sentence"].score(Sure(), BETWEEN[:1], Context(PUBLISHED))
    assert exact.scores["stereotype"] > exact.scores["anti_stereotype"]
    assert rounded.scores["stereotype"] == rounded.scores["anti_stereotype"] == 1
    assert rounded.scores["unrelated"] == pytest.approx(math.exp(-3))
