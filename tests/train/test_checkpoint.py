"""Checkpoints of a training that goes on."""

from pathlib import Path

import pytest
import torch

from tiltmeter.core.errors import TiltmeterError
from tiltmeter.train.next_sentence import train
from train.examples import Noted, files


@pytest.mark.parametrize("after", [1, 3, 4, 11, 23])
def test_going_on_ends_with_the_same_files(config, trained, after):
    with pytest.raises(KeyboardInterrupt):
        train(config, Noted(stop=after))
    torch.manual_seed(12345)  # the random numbers of others are no concern
    noted = Noted()
    assert files(train(config, noted)) == files(trained)
    assert noted.started == (after - 1) // 3 * 3
    assert noted.started + noted.steps == 24


def test_a_damaged_checkpoint_is_said(config):
    with pytest.raises(KeyboardInterrupt):
        train(config, Noted(stop=5))
    state = Path(config.out) / "training" / "state.safetensors"
    state.write_bytes(state.read_bytes()[:100])
    with pytest.raises(TiltmeterError, match=r"state\.safetensors"):
        train(config)
