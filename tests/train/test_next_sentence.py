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

from support.architectures import CAUSAL, MASKED, PERMUTATION, build
from support.next_heads import by_topic, reading_pairs, topic_triples
from tiltmeter.core.errors import BadInput, CannotAnswer, TiltmeterError, Unavailable, UnknownName
from tiltmeter.data.texts import corpus as corpora
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose
from tiltmeter.studies import stereoset
from tiltmeter.train.next_sentence import NextSentenceConfig, result, train
from tiltmeter.train.pairs import Batches, NextSentenceExample, examples
from tiltmeter.train.steps import Plan, TrainingProgress


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """So that sums are taken in the same order everywhere."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    return by_topic(tmp_path_factory.mktemp("t") / "topics.txt")


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("m")
    made = {}

    def one(kind):
        if kind not in made:
            made[kind] = reading_pairs(kind, folder / kind)
        return made[kind]

    return one


def few_steps(models, text, out):
    """A few steps, dropout included."""
    return NextSentenceConfig(
        str(models("bert")), str(text), str(out), epochs=2, batch_size=8, pairs=100,
        learning_rate=1e-3, checkpoint_every=3, evaluate_every=4, patience=9, device="cpu",
    )  # fmt: skip


@pytest.fixture
def config(models, text, tmp_path):
    return few_steps(models, text, tmp_path / "head")


@pytest.fixture(scope="module")
def trained(models, text, tmp_path_factory):
    """The folder of `config`'s training, to be read only."""
    return train(few_steps(models, text, tmp_path_factory.mktemp("trained") / "head"))


class Noted(TrainingProgress):
    def __init__(self, stop=0):
        self.started = self.steps = 0
        self.losses, self.left = [], stop

    def start(self, *, done, **_):
        self.started = done

    def step(self, *_):
        self.steps += 1
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt

    def evaluated(self, done, loss, accuracy):
        self.losses.append((done, loss, accuracy))


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


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


@pytest.mark.parametrize("after", [1, 3, 4, 11, 23])
def test_going_on_ends_with_the_same_files(config, trained, after):
    with pytest.raises(KeyboardInterrupt):
        train(config, Noted(stop=after))
    torch.manual_seed(12345)  # the random numbers of others are no concern
    noted = Noted()
    assert files(train(config, noted)) == files(trained)
    assert noted.started == (after - 1) // 3 * 3
    assert noted.started + noted.steps == 24


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


def test_the_same_training_again_does_nothing(config):
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    before = files(train(config))
    assert torch.equal(torch.rand(3), expected)  # the caller's random numbers are left alone
    noted = Noted()
    assert files(train(config, noted)) == before
    assert noted.steps == 0


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


def test_reduced_precision_is_trained_too(config):
    out = train(replace(config, precision="bfloat16"))
    kinds = {value.dtype for value in load_file(out / "model.safetensors").values()}
    assert kinds == {torch.bfloat16}


# ── Batches and rates ────────────────────────────────────────────────────────────────────────────


class Reader:
    """Tokens are letters."""

    def read(self, pairs, *, most):
        from tiltmeter.models.reading.next_pairs import EncodedPair

        return [EncodedPair(tuple(map(ord, (a + b)[:most]))) for a, b in pairs]


def batches(n=500, size=3):
    made = [NextSentenceExample("x" * (i % 7), str(i), i % 2) for i in range(n)]
    return Batches(made, Reader(), size=size, most=40, seed=1)


def test_every_epoch_has_every_pair_once_in_another_order():
    shared = batches()
    assert shared.per_epoch == 167
    seen = []
    for epoch in range(2):
        steps = range(epoch * 167, (epoch + 1) * 167)
        rows = [row.ids for step in steps for row in shared.batch(step)[0]]
        seen.append(rows)
        assert len(set(rows)) == 500
    assert sorted(seen[0]) == sorted(seen[1])
    assert seen[0] != seen[1]


def test_a_batch_depends_on_its_number_alone():
    shared = batches()
    for step in (0, 1, 95, 96, 166, 167, 300):
        assert batches().batch(step) == shared.batch(step)


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


def test_models_that_carry_no_head_are_refused(config, trained, tmp_path):
    t5 = build("t5", tmp_path / "t5")
    with pytest.raises(CannotAnswer, match=r"kind seq2seq\) carries no head here"):
        train(replace(config, model=str(t5)))
    with pytest.raises(
        CannotAnswer, match=r"kind next_sentence\) is a next-sentence model already"
    ):
        train(replace(config, model=str(trained)))


def test_an_encoder_that_puts_no_mark_between_two_texts_is_refused(config, tmp_path):
    from transformers import AutoTokenizer

    bare = build("bert", tmp_path / "bare")
    tokenizer = AutoTokenizer.from_pretrained(bare)
    from tokenizers.processors import TemplateProcessing

    marks = [(t, tokenizer.convert_tokens_to_ids(t)) for t in ("[CLS]", "[SEP]")]
    tokenizer.backend_tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", pair="$A:0 $B:1", special_tokens=marks
    )
    tokenizer.save_pretrained(bare)
    with pytest.raises(CannotAnswer, match="puts no special tokens around and between"):
        train(replace(config, model=str(bare)))


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
    with pytest.raises(Unavailable, match="--batch-size or --max-tokens"):
        train(config, Full())


def test_a_folder_that_holds_something_else_is_left_alone(config, tmp_path):
    out = tmp_path / "head"
    out.mkdir()
    (out / "thesis.txt").write_text("mine")
    with pytest.raises(BadInput, match=r"head: the folder contains something else.*--out"):
        train(config)
    assert [path.name for path in out.iterdir()] == ["thesis.txt"]
    with pytest.raises(BadInput, match="this is a file, not a folder"):
        train(replace(config, out=str(out / "thesis.txt")))


def test_another_training_is_not_gone_on_with(config):
    with pytest.raises(KeyboardInterrupt):
        train(config, Noted(stop=5))
    with pytest.raises(BadInput, match=r"another unfinished training \(seed 0, not 1\)"):
        train(replace(config, seed=1))
    train(config)
    with pytest.raises(BadInput, match=r"another head \(learning_rate 0.001, not 0.1\)"):
        train(replace(config, learning_rate=0.1))


def test_a_damaged_checkpoint_is_said(config):
    with pytest.raises(KeyboardInterrupt):
        train(config, Noted(stop=5))
    state = Path(config.out) / "training" / "state.safetensors"
    state.write_bytes(state.read_bytes()[:100])
    with pytest.raises(TiltmeterError, match=r"state\.safetensors"):
        train(config)
