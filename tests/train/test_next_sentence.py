"""Training a head: it learns, it goes on after a kill with the same weights, it says what was wrong."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from support.architectures import CAUSAL, MASKED, PERMUTATION
from support.next_heads import reading_pairs, topic_triples
from tiltmeter.core.errors import BadInput, CannotAnswer, Unavailable, UnknownName
from tiltmeter.data.texts import corpus as corpora
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose
from tiltmeter.studies import stereoset
from tiltmeter.train.next_sentence import NextSentenceConfig, result, train
from tiltmeter.train.pairs import examples
from tiltmeter.train.steps import Plan, TrainingProgress
from train.examples import Noted, files


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "epochs", "rate"), [("bert", 12, 3e-3), ("gpt2", 24, 3e-3), ("xlnet", 12, 6e-3)]
)
def test_a_relation_is_learned_and_the_saved_folder_judges_as_reported(
    models, text, tmp_path, kind, epochs, rate
):
    config = NextSentenceConfig(
        str(models(kind)), str(text), str(tmp_path / "head"), epochs=epochs, batch_size=16, held_out=0.2,
        learning_rate=rate, warm_up=50, patience=24, seed=2, device="cpu",
    )  # fmt: skip
    said = result(train(config))
    held = said["held_out"]
    # chance is 60 of 120: without a relation, 73 or more happen once in 100 times
    assert held["right"] >= 73
    assert held["accuracy"] == held["right"] / held["pairs"]
    assert held["interval"][0] > 0.5
    _, back = examples(corpora.read(text), held_out=0.2, most=None, seed=2)
    model = open_model(resolve(config.out))
    judged = model.next_logprobs([(one.first, one.second) for one in back]) > np.log(0.5)
    assert int((judged == [one.label == 0 for one in back]).sum()) == held["right"]
    assert model.about["head's held-out accuracy"] == held["accuracy"]
    # StereoSet between sentences: a language score of 50 is chance, of 96 comparisons in 48 triples
    triples = stereoset.load(topic_triples(tmp_path / "triples.csv"))
    where = resolve(f"headed:{models(kind)},{config.out}")
    chosen = choose(stereoset.STUDY, where.answers, model="headed")
    made = measure(stereoset.STUDY, open_model(where), triples, chosen=chosen)
    (score,) = (e.value for e in made.estimates if e.name == "lms" and not e.groups)
    assert score >= 70


WAYS = {
    **dict.fromkeys(MASKED, ("pairs", "first token, standardised")),
    **dict.fromkeys(CAUSAL, ("running text", "mean, standardised")),
    **dict.fromkeys(PERMUTATION, ("pairs, with a closing token", "last token, standardised")),
}


@pytest.mark.parametrize("kind", WAYS)
def test_every_architecture_is_trained_saved_and_opened(models, config, kind):
    config = replace(config, model=str(models(kind)), epochs=1, pairs=20, evaluate_every=None)
    said = result(train(config))
    assert (said["reads"], said["pooling"]) == WAYS[kind]
    model = open_model(resolve(config.out))
    assert (model.next_logprobs([("He is late.", "She sang.")]) < 0).all()


def test_the_description_says_where_the_head_comes_from(config, trained):
    said = result(trained)
    assert said["base"]["name"] == "bert"
    assert said["base"]["architecture"] == "BertForMaskedLM"
    assert len(said["base"]["fingerprint"]) == 64
    assert said["corpus"] == {
        "file": "topics.txt",
        "sha256": corpora.read(config.corpus).sha256,
        "documents": 60,
        "sentences": 360,
    }
    assert said["pairs"] == 90
    assert said["held_out"]["pairs"] == 10
    assert said["labels"] == ["follows", "does not follow"]
    assert (said["steps"], said["of"], said["epochs"]) == (24, 24, 2)
    assert set(said["versions"]) == {"tiltmeter", "torch", "transformers", "safetensors"}
    assert not any(str(config.corpus) in str(value) for value in said.values())


@pytest.mark.slow
def test_a_killed_process_goes_on_with_the_same_weights(config, tmp_path):
    whole = files(train(config))
    other = replace(config, out=str(tmp_path / "killed"))
    code = (
        "import sys, time, torch; torch.set_num_threads(1)\n"
        "from tiltmeter.train.next_sentence import NextSentenceConfig, train\n"
        "from tiltmeter.train.steps import TrainingProgress\n"
        "class Slow(TrainingProgress):\n"
        "    def step(self, done, loss):\n"
        "        print(done, flush=True)\n"
        "        time.sleep(60 if done == 8 else 0)\n"
        f"train({other!r}, Slow())\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as began:
        assert any(line.strip() == "8" for line in began.stdout)
        os.kill(began.pid, signal.SIGKILL)
    assert began.returncode == -signal.SIGKILL
    noted = Noted()
    assert files(train(other, noted)) == whole
    assert noted.started == 6


def test_a_frozen_trunk_stays_and_only_the_head_is_learned(config, models, trained):
    base = load_file(models("bert") / "model.safetensors")
    frozen = load_file(train(replace(config, freeze=True)) / "model.safetensors")
    moved = load_file(trained / "model.safetensors")
    assert set(frozen) == set(moved)
    assert all(torch.equal(value, base[f"bert.{name}"]) for name, value in frozen.items())
    assert not all(torch.equal(value, base[f"bert.{name}"]) for name, value in moved.items())
    heads = [
        load_file(folder / "next_sentence_head.safetensors")
        for folder in (Path(config.out), trained)
    ]
    assert all(head["weight"].abs().sum() > 0 for head in heads)


def test_it_stops_when_the_loss_falls_no_more_and_keeps_the_best_weights(config):
    config = replace(config, learning_rate=0.05, evaluate_every=1, patience=3, epochs=9)
    noted = Noted()
    said = result(train(config, noted))
    losses = [loss for _, loss, _ in noted.losses]
    best = int(np.argmin(losses))
    assert said["kept"] == best + 1
    assert said["held_out"]["loss"] == losses[best]
    assert said["held_out"]["accuracy"] == noted.losses[best][2]
    assert said["steps"] == best + 1 + 3 < said["of"]


def test_long_pairs_are_cut_and_the_limit_is_the_models(config, tmp_path):
    long = tmp_path / "long.txt"
    sentence = "The old driver was slow " * 30
    long.write_text("\n\n".join(f"{sentence}{i}. Another one {i}." for i in range(6)))
    config = replace(config, corpus=str(long))
    assert result(train(config))["settings"]["max_tokens"] == 64


def test_mixed_precision_leaves_weights_in_single_precision(config):
    out = train(replace(config, precision="bfloat16"))
    kinds = {value.dtype for value in load_file(out / "model.safetensors").values()}
    assert kinds == {torch.float32}


# ── Batches and rates ────────────────────────────────────────────────────────────────────────────


def test_the_rate_goes_up_and_down_in_lines():
    plan = Plan(100, 10, 1e-3, 10, 1, 10)
    rates = [plan.rate(step) for step in range(100)]
    assert max(rates) == pytest.approx(1e-3) == rates[9] == rates[10]
    assert np.diff(rates[:10]) == pytest.approx(1e-4)
    assert np.diff(rates[10:]) == pytest.approx(-1e-3 / 90)
    assert rates[99] > 0


# ── What is refused ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"epochs": 0}, "epochs is 0; it must be a whole number from 1 up"),
        ({"pairs": 3}, "pairs is 3; it must be a whole number from 4 up"),
        ({"max_tokens": 4}, "max_tokens is 4"),
        ({"patience": 0}, "patience is 0"),
        ({"warm_up": -1}, "warm_up is -1"),
        ({"learning_rate": 0.0}, "learning_rate is 0.0"),
        ({"learning_rate": float("nan")}, "learning_rate is nan"),
        ({"held_out": 1.0}, "held_out is 1.0"),
        ({"precision": "float16"}, "No precision to train in named 'float16'"),
    ],
)
def test_numbers_out_of_range_are_refused(config, changes, says):
    with pytest.raises((BadInput, UnknownName), match=says):
        replace(config, **changes)


@pytest.mark.parametrize(
    ("changes", "error", "says"),
    [
        ({"corpus": "nowhere.txt"}, BadInput, "no such file"),
        ({"model": "./nowhere"}, BadInput, "no such folder"),
        ({"model": "fake:masked"}, CannotAnswer, r"kind fake.*masked, causal"),
        ({"warm_up": 24}, BadInput, "24 warm-up steps are not fewer than the 24"),
        ({"device": "cuda:77"}, BadInput, "no device 'cuda:77'"),
    ],
)
def test_what_cannot_be_used_is_said_before_training(config, changes, error, says):
    with pytest.raises(error, match=says):
        train(replace(config, **changes))


def test_too_few_documents_are_refused(config, tmp_path):
    (tmp_path / "few.txt").write_text("A one. A two.\n\nB one. B two.\n\nC one. C two.")
    with pytest.raises(BadInput, match=r"few.txt: it holds 3 document.*4 are needed"):
        train(replace(config, corpus=str(tmp_path / "few.txt")))


def test_a_loss_that_is_no_number_stops_the_training(config, tmp_path):
    from safetensors.torch import save_file

    broken = reading_pairs("bert", tmp_path / "broken")
    weights = load_file(broken / "model.safetensors")
    weights["bert.embeddings.LayerNorm.weight"].fill_(1e38)  # a number, but not what comes of it
    save_file(weights, broken / "model.safetensors", {"format": "pt"})
    with pytest.raises(BadInput, match=r"no longer a number after 0 steps.*--learning-rate"):
        train(replace(config, model=str(broken)))


class Full(TrainingProgress):
    def step(self, *_):
        raise RuntimeError("CUDA out of memory. Tried to allocate 2 GiB")


def test_too_little_memory_is_said_with_what_to_change(config):
    with pytest.raises(
        Unavailable, match="8 examples were computed at once: give --at-once 4, which leaves"
    ):
        train(config, Full())
