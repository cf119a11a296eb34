"""Heads beside a language model: their description, their weights, and what is refused."""

import json

import pytest
import torch
from safetensors.torch import load_file, save_file

from models.pairs_of_texts import HEAD
from tiltmeter.core.errors import BadInput, TiltmeterError, Unavailable
from tiltmeter.models.opening.open_model import open_model, resolve


def test_the_card_says_where_the_head_comes_from(heads):
    about = open_model(resolve(str(heads("gpt2")))).about
    assert about["kind"] == "next_sentence"
    assert (
        about["next-sentence head"]
        == "trained on pooled states (mean, standardised), reads running text"
    )
    assert about["head trained on"] == "topics.txt"
    assert about["head trained from"] == "gpt2"
    assert about["head's pairs"] == 6
    assert about["head's held-out pairs"] == 2
    assert 0 <= about["head's held-out accuracy"] <= 1
    trunk = load_file(heads("gpt2") / "model.safetensors")
    assert about["parameters"] == sum(value.numel() for value in trunk.values())


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"format": 2}, "not of format 1"),
        ({"pooling": "mean"}, "reads and pooling must be"),
        ({"reads": "aloud"}, "reads and pooling must be"),
        ({"labels": ["does not follow", "follows"]}, "labels"),
        (None, "cannot be read"),
    ],
)
def test_a_description_that_says_something_else_is_refused(copied_head, changes, says):
    path = copied_head / "next_sentence.json"
    said = json.loads(path.read_text())
    path.write_text("{" if changes is None else json.dumps(said | changes))
    with pytest.raises(BadInput, match=rf"next_sentence\.json: .*{says}"):
        open_model(resolve(str(copied_head)))


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda path: path.unlink(), "cannot be read"),
        (lambda path: path.write_bytes(b"nonsense"), "cannot be read"),
        (lambda path: save_file({"weight": torch.zeros(2, 5)}, path), "not the weights of this"),
        (
            lambda path: save_file(
                {"weight": torch.full((2, 32), torch.nan), "bias": torch.zeros(2)}, path
            ),
            "not a finite number",
        ),
    ],
)
def test_a_head_that_is_damaged_is_refused(copied_head, spoil, says):
    spoil(copied_head / HEAD)
    with pytest.raises(Unavailable, match=says):
        open_model(resolve(str(copied_head)))


def test_a_trunk_without_its_weights_is_refused(copied_head):
    weights = load_file(copied_head / "model.safetensors")
    weights.pop("encoder.layer.0.output.dense.weight")
    save_file(weights, copied_head / "model.safetensors", {"format": "pt"})
    with pytest.raises(TiltmeterError, match="1 weight is not in its files"):
        open_model(resolve(str(copied_head)))
