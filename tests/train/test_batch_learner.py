"""A step in portions: gradients are those of the whole batch, whatever is computed at once."""

import json
from dataclasses import replace
from itertools import chain, pairwise

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from support.architectures import build
from support.next_heads import reading_pairs
from tiltmeter.core.errors import BadInput
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import resolve
from tiltmeter.train.batch_learner import Computing, portions
from tiltmeter.train.blocks import Order
from tiltmeter.train.classifier_net import ClassifierNet, TextLearner
from tiltmeter.train.continued import ContinuedConfig, result, train
from tiltmeter.train.next_sentence import Pairs
from tiltmeter.train.next_sentence_net import open_trunk
from tiltmeter.train.pairs import Batches, NextSentenceExample
from train.examples import Noted

OPTIONS = Options(device="cpu")
WORDS = ("The driver was late.", "She sang.", "Nobody knows why the soup is cold at night.")


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    return reading_pairs("bert", tmp_path_factory.mktemp("m") / "bert")


def text_learner(bert, at_once):
    net = ClassifierNet(str(bert), resolve(str(bert)), OPTIONS, ("a", "b"), 20, seed=1)
    texts = [f"{WORDS[i % 3]} {i}" for i in range(14)]
    labels = np.arange(14) % 2
    return TextLearner(net, (texts, labels), (texts[:5], labels[:5]), Order(14, 7, 1), at_once)


def pair_learner(bert, at_once):
    net = open_trunk(str(bert), OPTIONS, freeze=False, seed=1)
    pairs = [NextSentenceExample(WORDS[i % 3], WORDS[i % 2], i % 2) for i in range(14)]
    batches = Batches(pairs, net.reader, size=7, most=20, seed=1)
    return Pairs(net, batches, pairs[:5], 20, computing=at_once)


@pytest.mark.parametrize("made", [text_learner, pair_learner])
def test_gradients_of_portions_add_up_to_those_of_the_mean_over_the_batch(bert, made):
    steps = []
    for at_once in (1, 3, 100):
        learner = made(bert, Computing(at_once))
        learner.learning(on=False)
        loss = learner.learn(1)
        steps.append((loss, {n: v.grad for n, v in learner.trained().items()}))
    # one example at a time, without padding, by hand
    learner = made(bert, Computing(1))
    losses = []
    for example in learner.batch(1):
        logits, true = learner.logits([example])
        losses.append(-logits.log_softmax(-1)[0, int(true)])
    mean = torch.stack(losses).mean()
    mean.backward()
    slow = {n: v.grad for n, v in learner.trained().items()}
    largest = max(float(v.abs().max()) for v in slow.values() if v is not None)
    for loss, gradients in steps:
        assert loss == pytest.approx(float(mean.detach()), rel=1e-5)
        for name, value in slow.items():
            if value is not None:
                assert float((gradients[name] - value).abs().max()) < 1e-4 * largest, name


def test_held_out_examples_are_judged_as_one_by_one(bert):
    learner = text_learner(bert, Computing(3))
    learner.learning(on=False)
    loss, right = learner.judge()
    texts, labels = learner._back
    probabilities = learner._net.probabilities(texts)
    of_label = probabilities[np.arange(5), labels]
    assert loss == pytest.approx(-np.log(of_label).mean(), rel=1e-6)
    assert right == int((probabilities.argmax(1) == labels).sum())


def test_portions_hold_every_example_once_and_stay_in_order_where_all_fit():
    batch = ["aaa", "b", "cc", "dddd", "e"]
    assert [*portions(batch, len, 5)] == [batch]
    made = [*portions(batch, len, 2)]
    assert sorted(chain(*made)) == sorted(batch)
    assert all(max(map(len, a)) <= min(map(len, b)) for a, b in pairwise(made))


# ── The options, in a whole training ─────────────────────────────────────────────────────────────


@pytest.fixture
def config(tmp_path, gpt2):
    return ContinuedConfig(
        str(gpt2), str(tmp_path / "out"), steps=6, batch_size=6, max_tokens=24, learning_rate=1e-3,
        device="cpu",
    )  # fmt: skip


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory):
    """Without dropout, whose random numbers depend on what is computed together."""
    still = {"resid_pdrop": 0.0, "embd_pdrop": 0.0, "attn_pdrop": 0.0}
    folder = build("gpt2", tmp_path_factory.mktemp("m") / "gpt2")
    described = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(described | still))
    return folder


def trained(config, texts, tmp_path, name, **changed):
    folder = train(replace(config, out=str(tmp_path / name), **changed), texts)
    return load_file(folder / "model.safetensors")


def apart(a, b):
    """The distance between two sets of weights."""
    return float(sum(((a[name] - b[name]) ** 2).sum() for name in a if name in b)) ** 0.5


def test_the_trained_weights_do_not_depend_on_what_is_computed_at_once(config, texts, tmp_path):
    whole = trained(config, texts, tmp_path, "whole", at_once=6)
    moved = apart(whole, load_file(f"{config.model}/model.safetensors"))
    for at_once in (1, 4):
        part = trained(config, texts, tmp_path, f"part{at_once}", at_once=at_once)
        assert apart(whole, part) < 1e-3 * moved
    half = trained(config, texts, tmp_path, "half", batch_size=3)
    assert apart(whole, half) > 0.1 * moved


def test_mixed_precision_ends_near_single_precision_and_is_not_it(config, texts, tmp_path):
    single = trained(config, texts, tmp_path, "single")
    mixed = trained(config, texts, tmp_path, "mixed", precision="bfloat16")
    moved = apart(single, load_file(f"{config.model}/model.safetensors"))
    assert 1e-3 * moved < apart(single, mixed) < 0.3 * moved
    assert {value.dtype for value in mixed.values()} == {torch.float32}


def test_a_stopped_training_goes_on_with_fewer_examples_at_once(config, texts, tmp_path):
    """As after an error of too little memory."""
    whole = trained(config, texts, tmp_path, "whole", at_once=6)
    config = replace(config, at_once=6, checkpoint_every=2)
    with pytest.raises(KeyboardInterrupt):
        train(config, texts, Noted(stop=3))
    noted = Noted()
    folder = train(replace(config, at_once=2), texts, noted)
    assert noted.started == 2
    begun, ended = (load_file(f"{place}/model.safetensors") for place in (config.model, folder))
    assert apart(whole, ended) < 1e-3 * apart(whole, begun)


def test_epochs_are_another_way_to_say_steps(config, texts, tmp_path):
    noted = Noted()
    train(replace(config, steps=None, epochs=2, out=str(tmp_path / "epochs")), texts, noted)
    per_epoch = noted.steps // 2
    assert noted.steps == 2 * per_epoch > 2
    with pytest.raises(BadInput, match="both steps and epochs"):
        replace(config, epochs=2)


def test_with_patience_a_training_stops_and_keeps_the_best_weights(config, texts):
    noted = Noted()
    out = train(
        replace(config, steps=40, learning_rate=0.3, evaluate_every=1, patience=2), texts, noted
    )
    losses = [loss for _, loss, _ in noted.losses[1:]]  # the first is before training
    best = int(np.argmin(losses))
    assert noted.steps == best + 1 + 2 < 40
    assert result(out)["held out"]["loss after"] == losses[best]
