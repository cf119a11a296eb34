"""Two small trained models: here the numbers mean something, so they can be wrong in other ways."""

from pathlib import Path

import numpy as np
import pytest

from tiltmeter.core.model.control_tokens import private
from tiltmeter.core.model.requests import Blanked, Continuation
from tiltmeter.models.opening.open_model import open_model, resolve

COMMON = range(1996, 2996)
"""Ids of BERT's vocabulary, whose words stand in the order of their frequency."""
MODELS = Path(__file__).parents[3] / "shared" / "models"


def opened(name):
    if not (MODELS / name / "config.json").is_file():
        pytest.skip(f"{name} is not beside the checkout (../shared/models)")
    return open_model(resolve(str(MODELS / name)))


@pytest.fixture(scope="module")
def masked():
    return opened("minilm-mlm")


@pytest.fixture(scope="module")
def causal():
    return opened("stories260K")


def likeliest(model, text):
    """Of the thousand commonest words, the likeliest at the one mask in the text."""
    (tokens,) = model.encode([text.replace("[MASK]", private("[MASK]"))])
    at = tokens.ids.index(model._mask)
    requests = [
        Blanked((*tokens.ids[:at], word, *tokens.ids[at + 1 :]), (at,), (at,)) for word in COMMON
    ]
    answers = np.concatenate(model.blank_logprobs(requests))
    return model._loaded.tokenizer.convert_ids_to_tokens(COMMON[int(answers.argmax())]), answers


@pytest.mark.parametrize(
    ("text", "word"), [("New [MASK] City", "york"), ("The United [MASK] of America", "states")]
)
def test_it_fills_blanks_as_trained(masked, text, word):
    first, logprobs = likeliest(masked, text)
    assert first == word
    assert 0.5 < np.exp(logprobs).sum() <= 1 + 1e-4  # most of the mass lies on these words


def test_a_mask_in_the_text_is_no_special_token_of_the_frame(masked):
    (tokens,) = masked.encode([f"New {private('[MASK]')} City"])
    assert tokens.special == (True, False, False, False, True)


def test_a_known_word_beats_any_other(masked):
    (tokens,) = masked.encode(["The United States of America"])
    others = masked.encode([f"The United {w} of America" for w in ("green", "nurse", "table")])
    texts = [tokens, *others]
    answers = masked.blank_logprobs([Blanked(t.ids, (3,), (3,)) for t in texts])
    assert answers[0][0] > max(a[0] for a in answers[1:]) + 3


def test_masked_facts(masked):
    assert masked.limit == 512
    assert not masked.cased
    assert masked.about["architecture"] == "BertForMaskedLM"
    assert masked.about["projection"].startswith("only positions that are read")


def test_a_story_is_likelier_than_its_words_shuffled(causal):
    story, shuffled = causal.encode(
        ["Once upon a time there was a little girl", "little a was time there upon girl Once a"]
    )
    good, bad = causal.continuation_logprobs(
        [Continuation((), story.ids), Continuation((), shuffled.ids)]
    )
    assert good.mean() > bad.mean() + 2
    assert causal.about["start token"] == "<s> (beginning of text)"


def test_the_chain_rule_holds(causal):
    """A text's log-probability is its beginning's plus the rest's, given the beginning."""
    (story,) = causal.encode(["Once upon a time there was a little girl"])
    whole, begin, rest = causal.continuation_logprobs(
        [
            Continuation((), story.ids),
            Continuation((), story.ids[:4]),
            Continuation(story.ids[:4], story.ids[4:]),
        ]
    )
    np.testing.assert_allclose(whole.sum(), begin.sum() + rest.sum(), atol=1e-4)


def test_the_likelier_what_comes_next_the_less_the_last_layer_must_change(causal):
    before, whole = causal.encode(["Once upon a", "Once upon a time"])
    (time,) = whole.ids[len(before.ids) :]
    asked = [Continuation(before.ids, (token,)) for token in range(512)]
    distances, lengths = np.stack(causal.next_readout(asked))[:, :, 0].T
    logprobs = np.concatenate(causal.continuation_logprobs(asked))
    assert distances[time] == 0  # it leads already
    assert np.ptp(lengths) == 0  # one place, whatever is asked there
    order = np.argsort(-logprobs)
    assert (np.diff(distances[order]) > -1e-4).all()
    assert distances[order[-1]] > 10
