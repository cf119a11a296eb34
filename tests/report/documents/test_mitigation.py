"""The documents of mitigations."""

import pytest

from tiltmeter.report.document import Document, Lines, Text
from tiltmeter.report.documents.mitigation import (
    directions_document,
    prompts_document,
    training_document,
)

FITTED = {
    "method": "sentence_debias", "attribute": "gender", "point": "last",
    "fitted": {"k": 2, "sentences": 1200, "explained variance": [0.5, 0.25], "rank": 30},
    "corpus": {"name": "text.txt"}, "groups": {"female": 700, "male": 500}, "model": {"hidden size": 64},
}  # fmt: skip
PROMPTED = {
    "method": "self_debias", "attribute": "gender", "prompts": ["The following is sexist:\n"],
    "decay": 50.0, "epsilon": 0.01, "fitted": {"prompts": 1, "longest prompt": 7},
}  # fmt: skip
TRAINED = {
    "method": "cda", "attribute": "gender", "steps": 200, "rows": 1000, "epochs": 3.2, "dropout": {},
    "held out": {"asked": 400, "asked for": "masked tokens", "rows": 90, "loss before": 2.5,
                 "loss after": 2.25, "right before": 100, "right after": 110},
}  # fmt: skip


def words(document: Document) -> list[str]:
    blocks = [b for b in document.blocks() if isinstance(b, Text | Lines)]
    lines = [line for b in blocks for line in ([b.text] if isinstance(b, Text) else b.lines)]
    return [*map(str, document.finding), *lines]


def test_directions_and_how_much_they_explain():
    head, corpus, explained = words(directions_document(FITTED))
    assert head == (
        "sentence_debias for gender: 2 directions of 64, removed where the states leave the encoder."
    )
    assert corpus == "Fitted on 1,200 sentences of text.txt that name female (700), male (500)."
    assert explained == (
        "They explain 75.0\u00a0% of the variance between versions of a sentence (the first 50.0\u00a0%); "
        "the versions differ in 30 directions."
    )


def test_accuracy_before_and_after():
    fitted = {"k": 1, "sentences": 5, "accuracy": [0.9, 0.7, 0.4], "chance": 0.35}
    head, _, accuracy = words(directions_document(FITTED | {"fitted": fitted, "point": "every"}))
    assert "1 direction of 64, removed after every layer." in head
    assert "90.0\u00a0% before, 40.0\u00a0% after" in accuracy and "35.0\u00a0%" in accuracy


def test_prompts_and_what_they_cost():
    head, prompt, price = words(prompts_document(PROMPTED))
    assert head.endswith("words that a prompt favours are down-weighted (decay 50, epsilon 0.01).")
    assert prompt == "The following is sexist:"
    assert "asked 2 times" in price and "7 fewer tokens" in price
    several = PROMPTED | {"prompts": ["a", "b"]}
    assert "any of 2 prompts favours" in words(prompts_document(several))[0]


def test_training_and_held_out_text():
    head, held = words(training_document(TRAINED))
    assert head == "cda for gender: 200 steps on 1,000 rows of text (3.2 epochs)."
    assert (
        "2.500 before, 2.250 after" in held
        and "25.0\u00a0% before, 27.5\u00a0% after, of 400" in held
    )


@pytest.mark.parametrize("key", ["fitted", "corpus", "groups", "point"])
def test_what_is_missing_is_an_error_of_the_builder(key):
    with pytest.raises(KeyError, match=key):
        directions_document({k: v for k, v in FITTED.items() if k != key})
