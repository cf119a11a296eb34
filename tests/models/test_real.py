"""Small trained models, where they are beside the checkout: do the numbers make sense?"""

from pathlib import Path

import numpy as np
import pytest

from tiltmeter.core.asks import Blanked, Continuation
from tiltmeter.models._open import open_model, resolve

FOLDER = Path(__file__).parents[3] / "shared" / "models"


def model(name):
    if not (FOLDER / name).is_dir():
        pytest.skip(f"{name} is not beside the checkout")
    return open_model(resolve(str(FOLDER / name)))


@pytest.mark.parametrize(
    ("text", "word", "others"),
    [
        ("New York City", "york", ["paris", "house", "water"]),
        ("The United States of America", "states", ["kingdom", "water", "green"]),
    ],
)
def test_minilm_mlm_fills_blanks(text, word, others):
    masked = model("minilm-mlm")
    tokenizer = masked._loaded.tokenizer
    (tokens,) = masked.encode([text])
    at = tokens.ids.index(tokenizer.convert_tokens_to_ids(word))

    def with_word(other):
        ids = list(tokens.ids)
        ids[at] = tokenizer.convert_tokens_to_ids(other)
        return Blanked(tuple(ids), (at,), (at,))

    answers = [float(a[0]) for a in masked.blank_logprobs([with_word(w) for w in [word, *others]])]
    assert answers[0] == max(answers)
    assert answers[0] > np.log(0.3)


def test_stories260k_prefers_its_own_kind_of_story():
    causal = model("stories260K")
    sentences = [
        "Once upon a time, there was a little girl.",
        "girl little a was there time, a upon.",
    ]
    told, shuffled = causal.continuation_logprobs(
        [Continuation((), t.ids) for t in causal.encode(sentences)]
    )
    assert told.mean() > shuffled.mean() + 1
