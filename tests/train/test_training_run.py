"""The folder of a training: others are left alone."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from tiltmeter.core.errors import BadInput
from tiltmeter.train.next_sentence import train
from train.examples import Noted, files


def test_the_same_training_again_does_nothing(config):
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    before = files(train(config))
    assert torch.equal(torch.rand(3), expected)  # the caller's random numbers are left alone
    noted = Noted()
    assert files(train(config, noted)) == before
    assert noted.steps == 0


def test_a_folder_that_holds_something_else_is_left_alone(config, tmp_path):
    out = tmp_path / "head"
    out.mkdir()
    (out / "thesis.txt").write_text("mine")
    with pytest.raises(BadInput, match=r"head: the folder contains something else.*--out"):
        train(config)
    assert [path.name for path in out.iterdir()] == ["thesis.txt"]
    with pytest.raises(BadInput, match="this is a file, not a folder"):
        train(replace(config, out=str(out / "thesis.txt")))


def test_a_description_that_a_killed_training_had_half_written_goes(config):
    with pytest.raises(KeyboardInterrupt):
        train(config, Noted(stop=5))
    (Path(config.out) / ".next_sentence.json.9999999-1").write_text("{")
    train(config)
    assert not [*Path(config.out).glob(".*")]


def test_another_training_is_not_gone_on_with(config):
    with pytest.raises(KeyboardInterrupt):
        train(config, Noted(stop=5))
    with pytest.raises(BadInput, match=r"another unfinished training \(seed 0, not 1\)"):
        train(replace(config, seed=1))
    train(config)
    with pytest.raises(BadInput, match=r"another head \(learning_rate 0.001, not 0.1\)"):
        train(replace(config, learning_rate=0.1))
