"""A training in two processes: it ends as in one, goes on after a stop, and says what went wrong."""

import json
from dataclasses import replace

import pytest
from safetensors.torch import load_file

from support.next_heads import reading_pairs
from tiltmeter.core.errors import BadInput
from tiltmeter.train.next_sentence import NextSentenceConfig, result, train
from train.examples import Noted


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    """Without dropout, whose random numbers depend on what is computed together."""
    folder = reading_pairs("bert", tmp_path_factory.mktemp("m") / "bert")
    described = json.loads((folder / "config.json").read_text())
    still = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    (folder / "config.json").write_text(json.dumps(described | still))
    return folder


@pytest.fixture
def config(bert, text, tmp_path):
    return NextSentenceConfig(
        str(bert), str(text), str(tmp_path / "one"), epochs=2, batch_size=7, pairs=100,
        learning_rate=1e-3, evaluate_every=8, checkpoint_every=5, patience=9, device="cpu",
    )  # fmt: skip


def apart(a, b):
    return float(sum(((a[name] - b[name]) ** 2).sum() for name in a)) ** 0.5


@pytest.mark.slow
def test_two_processes_end_as_one_and_go_on_after_a_stop(config, bert, tmp_path):
    alone, both = Noted(), Noted()
    one = load_file(train(config, alone) / "model.safetensors")
    shared = replace(config, out=str(tmp_path / "two"), processes=2)
    with pytest.raises(KeyboardInterrupt):
        train(shared, Noted(stop=12))
    two = load_file(train(shared, both) / "model.safetensors")
    assert both.started >= 10 and both.started % 5 == 0
    assert result(shared.out)["processes"] == 2
    base = load_file(bert / "model.safetensors")
    moved = apart(one, {name: base[f"bert.{name}"] for name in one})
    assert apart(one, two) < 3e-3 * moved
    for (step, loss, accuracy), (again, close, same) in zip(
        alone.losses[-2:], both.losses[-2:], strict=True
    ):
        assert (step, accuracy) == (again, same) and loss == pytest.approx(close, rel=1e-4)


@pytest.mark.slow
def test_an_error_of_a_process_is_that_of_the_training(config):
    with pytest.raises(BadInput, match="warm-up steps are not fewer"):
        train(replace(config, processes=2, warm_up=999))


@pytest.mark.parametrize(
    ("device", "says"),
    [("mps", "2 processes cannot share the device 'mps'"), ("cuda", "as many GPUs, and there are")],
)
def test_processes_need_a_device_each(config, device, says):
    with pytest.raises(BadInput, match=says):
        train(replace(config, processes=2000 if device == "cuda" else 2, device=device))
