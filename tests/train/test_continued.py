"""Training a model further: it learns, goes on after a kill with the same weights, says what was wrong."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from math import log
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers
from safetensors.torch import load_file

from support.architectures import CAUSAL, MASKED, build
from tiltmeter.core.errors import BadInput, CannotAnswer, Unavailable, UnknownName
from tiltmeter.core.model.requests import Continuation
from tiltmeter.models.opening import hf
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.train import continued
from tiltmeter.train.batch_learner import Computing
from tiltmeter.train.blocks import TokenRows, rows_of
from tiltmeter.train.continued import ContinuedConfig, raised_dropout, result, train
from tiltmeter.train.learner import Further, hidden
from tiltmeter.train.steps import TrainingProgress

OPTIONS = Options(device="cpu")
AUTO = {"masked": "AutoModelForMaskedLM", "causal": "AutoModelForCausalLM"}


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("m")
    made = {}

    def one(kind):
        if kind not in made:
            made[kind] = build(kind, folder / kind)
        return made[kind]

    return one


def few_steps(models, out):
    """A few steps, dropout included."""
    return ContinuedConfig(
        str(models("bert")), str(out), steps=12, batch_size=4, max_tokens=24, at_once=3,
        learning_rate=1e-3, checkpoint_every=3, device="cpu",
    )  # fmt: skip


@pytest.fixture
def config(models, tmp_path):
    return few_steps(models, tmp_path / "out")


@pytest.fixture(scope="module")
def trained(models, texts, tmp_path_factory):
    """The folder of `config`'s training, to be read only."""
    return train(few_steps(models, tmp_path_factory.mktemp("trained") / "out"), texts)


class Noted(TrainingProgress):
    def __init__(self, stop=0):
        self.started = self.steps = 0
        self.looks, self.left = [], stop

    def start(self, *, done, **_):
        self.started = done

    def step(self, *_):
        self.steps += 1
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt

    def evaluated(self, done, loss, accuracy):
        self.looks.append((done, loss, accuracy))


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def loaded(place, kind):
    return hf.load(str(place), OPTIONS, AUTO[kind], name="m", scheme=kind)


# ── It learns ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["bert", "gpt2"])
def test_what_is_in_the_text_is_learned(models, texts, config, kind):
    """Four topics of four words: who knows the topic guesses among four, who does not among sixteen."""
    config = replace(config, model=str(models(kind)), steps=75, batch_size=16, learning_rate=3e-3)
    noted = Noted()
    held = result(train(config, texts, noted))["held out"]
    assert held["loss after"] < log(16) < held["loss before"] - 2
    assert held["right after"] > 1.5 * held["right before"]
    assert [step for step, _, _ in noted.looks] == [0, 75]
    assert held["loss before"] == noted.looks[0][1]
    assert held["loss after"] == noted.looks[1][1]


def test_a_causal_models_loss_is_that_of_its_answers_when_opened(models, texts, config):
    """The checkpoint, opened as any model, gives each held-out row the log-probability that was told."""
    out = train(replace(config, model=str(models("gpt2"))), texts)
    model = open_model(resolve(str(out), OPTIONS), OPTIONS)
    rows = rows_of(texts.back, model.encode, 24, start=model._start)
    asked = [Continuation((), tuple(map(int, rows[i].ids[1:]))) for i in range(len(rows))]
    found = np.concatenate(model.continuation_logprobs(asked))
    held = result(out)["held out"]
    assert (len(rows), len(found)) == (held["rows"], held["asked"])
    assert -found.mean() == pytest.approx(held["loss after"], abs=1e-4)
    assert model.about["mitigation"] == "cda"
    assert model.about["made from"] == "gpt2"


def test_a_masked_models_loss_is_that_of_transformers_alone(texts, trained):
    """One row at a time, the same tokens hidden."""
    ours, tokenizer = loaded(trained, "masked"), transformers.AutoTokenizer.from_pretrained(trained)
    model = transformers.AutoModelForMaskedLM.from_pretrained(trained).eval()
    rows = rows_of(texts.back, lambda some: ours.encode(some, special=True), 24)
    chosen = hidden(
        [rows[i] for i in range(len(rows))], np.random.default_rng([0, 4]),
        mask=tokenizer.mask_token_id, vocabulary=len(tokenizer),
    )  # fmt: skip
    losses = []
    for one in chosen:
        with torch.no_grad():
            logprobs = model(torch.tensor(one.ids[None].astype(int))).logits[0].log_softmax(-1)
        losses += [
            -float(logprobs[at, token]) for at, token in zip(one.places, one.true, strict=True)
        ]
    held = result(trained)["held out"]
    assert len(losses) == held["asked"]
    assert np.mean(losses) == pytest.approx(held["loss after"], abs=1e-4)


@pytest.mark.parametrize("kind", [*MASKED, *CAUSAL])
def test_gradients_are_those_of_the_whole_batch_at_once(models, texts, kind):
    """Whatever is computed at once; and the vocabulary only where tokens are asked for."""
    scheme = "masked" if kind in MASKED else "causal"
    model = loaded(models(kind), scheme)
    start = None if scheme == "masked" else 0
    rows = rows_of(
        texts.front, lambda some: model.encode(some, special=scheme == "masked"), 24, start
    )
    back = TokenRows(rows[i] for i in range(5))
    found = []
    for at_once in (1, 3, 100):
        learner = Further(
            "m", model, scheme, rows, back, size=7, computing=Computing(at_once), seed=1
        )
        learner.learning(on=False)
        loss = learner.learn(2)
        found.append(
            (loss, {n: v.grad.clone() for n, v in learner.trained().items() if v.grad is not None})
        )
        model.model.zero_grad()
    asked = learner._asked([rows[i] for i in learner._order.step(2)], 3, 2)
    inputs, places = learner._inputs(asked)
    true = torch.from_numpy(np.concatenate([one.true for one in asked]).astype(int))
    model.model.zero_grad()
    if learner._projector:
        learner._projector.remove()
    whole = torch.nn.functional.cross_entropy(model.model(**inputs).logits[places], true)
    whole.backward()
    whole = float(whole.detach())
    expected = {n: v.grad for n, v in model.model.named_parameters() if v.grad is not None}
    largest = max(float(v.abs().max()) for v in expected.values())
    for loss, gradients in found:
        assert loss == pytest.approx(whole, rel=1e-4)
        for name, value in expected.items():
            assert float((gradients[name] - value).abs().max()) < 1e-3 * largest, name


@pytest.mark.parametrize("kind", [*MASKED, *CAUSAL])
def test_every_architecture_is_trained_saved_and_opened(models, texts, config, kind):
    out = train(replace(config, model=str(models(kind)), steps=2), texts)
    said = result(out)
    assert said["base"]["kind"] == ("masked" if kind in MASKED else "causal")
    model = open_model(resolve(str(out), OPTIONS), OPTIONS)
    before = open_model(resolve(str(models(kind)), OPTIONS), OPTIONS)
    assert model.about["parameters"] == before.about["parameters"]
    assert model.fingerprint != before.fingerprint
    assert [t.ids for t in model.encode(["He is late."])] == [
        t.ids for t in before.encode(["He is late."])
    ]


def test_mixed_precision_leaves_weights_in_single_precision(texts, config):
    out = train(replace(config, precision="bfloat16"), texts)
    kinds = {value.dtype for value in load_file(out / "model.safetensors").values()}
    assert kinds == {torch.float32}


# ── It goes on ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("after", [1, 3, 4, 11])
def test_going_on_ends_with_the_same_files(config, texts, trained, after):
    whole = files(trained)
    assert {"model.safetensors", "config.json", "mitigation-trained.json"} <= set(whole)
    with pytest.raises(KeyboardInterrupt):
        train(config, texts, Noted(stop=after))
    torch.manual_seed(12345)  # the random numbers of others are no concern
    noted = Noted()
    assert files(train(config, texts, noted)) == whole
    assert noted.started == (after - 1) // 3 * 3
    assert noted.started + noted.steps == 12


@pytest.mark.slow
def test_a_killed_process_goes_on_with_the_same_weights(config, texts, tmp_path):
    whole = files(train(config, texts))
    other = replace(config, out=str(tmp_path / "killed"))
    code = (
        "import time, torch; torch.set_num_threads(1)\n"
        "from tiltmeter.train.continued import ContinuedConfig, Texts, train\n"
        "from tiltmeter.train.steps import TrainingProgress\n"
        "class Slow(TrainingProgress):\n"
        "    def step(self, done, loss):\n"
        "        print(done, flush=True)\n"
        "        time.sleep(60 if done == 8 else 0)\n"
        f"train({other!r}, {texts!r}, Slow())\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as began:
        assert any(line.strip() == "8" for line in began.stdout)
        os.kill(began.pid, signal.SIGKILL)
    assert began.returncode == -signal.SIGKILL
    noted = Noted()
    assert files(train(other, texts, noted)) == whole
    assert noted.started == 6
    assert noted.looks[0][0] == 12  # what was before the first step is in the checkpoint


def test_the_same_training_again_does_nothing(config, texts):
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    before = files(train(config, texts))
    assert torch.equal(torch.rand(3), expected)
    noted = Noted()
    assert files(train(config, texts, noted)) == before
    assert noted.steps == 0


def test_another_training_is_not_gone_on_with(config, texts):
    with pytest.raises(KeyboardInterrupt):
        train(config, texts, Noted(stop=5))
    with pytest.raises(BadInput, match=r"another unfinished training \(seed 0, not 1\)"):
        train(replace(config, seed=1), texts)
    with pytest.raises(BadInput, match=r"unfinished training \(corpus 'x', not 'y'\)"):
        train(config, replace(texts, settings={"corpus": "y"}))
    train(config, texts)
    with pytest.raises(
        BadInput, match=r"another model that was trained further \(steps 12, not 13\)"
    ):
        train(replace(config, steps=13), texts)


# ── Rows and what is asked of them ───────────────────────────────────────────────────────────────


# ── Dropout ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("bert", {"hidden_dropout_prob": 0.2, "attention_probs_dropout_prob": 0.15}),
        ("albert", {"hidden_dropout_prob": 0.05, "attention_probs_dropout_prob": 0.05}),
        ("gpt2", {"resid_pdrop": 0.15, "embd_pdrop": 0.15, "attn_pdrop": 0.15}),
        ("llama", {"attention_dropout": 0.05}),
    ],
)
def test_dropout_is_raised_to_the_published_values(models, texts, config, kind, expected):
    out = train(replace(config, model=str(models(kind)), steps=1, raise_dropout=True), texts)
    assert result(out)["dropout"] == expected
    kept = transformers.AutoConfig.from_pretrained(out)
    assert {name: getattr(kept, name) for name in expected} == expected


def test_raised_dropout_is_at_work_in_the_model(config):
    raised = replace(config, raise_dropout=True, hidden_dropout=0.3)
    model = continued._open(raised, continued.check(raised))[0].model
    rates = {m.p for m in model.modules() if isinstance(m, torch.nn.Dropout)}
    assert rates == {0.3, 0.15}


def test_dropout_that_raises_nothing_is_refused():
    own = {"hidden_dropout_prob": 0.1, "attention_probs_dropout_prob": 0.1}
    with pytest.raises(BadInput, match=r"hidden_dropout_prob 0.1.*nothing would be raised"):
        raised_dropout(own, "masked", 0.1, 0.05, "m")
    with pytest.raises(CannotAnswer, match="no hidden dropout; leave out --hidden-dropout"):
        raised_dropout({"attention_dropout": 0.0}, "causal", 0.2, None, "m")
    with pytest.raises(CannotAnswer, match="no dropout to raise"):
        raised_dropout({}, "causal", None, None, "m")


# ── What is refused ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"steps": 0}, "steps is 0; it must be a whole number from 1 up"),
        ({"batch_size": 0}, "batch_size is 0"),
        ({"max_tokens": 4}, "max_tokens is 4"),
        ({"at_once": 0}, "at_once is 0"),
        ({"warm_up": -1}, "warm_up is -1"),
        ({"learning_rate": float("nan")}, "learning_rate is nan"),
        ({"hidden_dropout": 1.0}, "hidden_dropout is 1.0"),
        ({"precision": "float16"}, "No precision to train in named 'float16'"),
    ],
)
def test_numbers_out_of_range_are_refused(config, changes, says):
    with pytest.raises((BadInput, UnknownName), match=says):
        replace(config, **changes)


def test_what_cannot_be_trained_is_said_and_leaves_no_folder(models, config, texts):
    few = replace(texts, front=texts.front[:1])
    for changes, given, error, says in (
        ({"model": "fake:masked"}, texts, CannotAnswer, r"kind fake.*masked or causal"),
        (
            {"model": str(models("t5"))},
            texts,
            CannotAnswer,
            r"kind seq2seq.*cannot be trained further",
        ),
        ({"warm_up": 12}, texts, BadInput, "12 warm-up steps are not fewer than the 12.*--steps"),
        ({}, few, BadInput, r"has 2 rows of at most 24 tokens.*fewer than the 4 of one step"),
    ):
        with pytest.raises(error, match=says):
            train(replace(config, **changes), given)
        assert not Path(config.out).exists()


def test_a_folder_that_holds_something_else_is_left_alone(config, texts):
    Path(config.out).mkdir()
    (Path(config.out) / "thesis.txt").write_text("mine")
    with pytest.raises(BadInput, match=r"out: the folder contains something else.*--out"):
        train(config, texts)
    assert [path.name for path in Path(config.out).iterdir()] == ["thesis.txt"]


class Full(TrainingProgress):
    def step(self, *_):
        raise RuntimeError("CUDA out of memory. Tried to allocate 2 GiB")


def test_too_little_memory_is_said_with_what_to_change(config, texts):
    with pytest.raises(
        Unavailable, match="3 examples were computed at once: give --at-once 1, which leaves"
    ):
        train(config, texts, Full())
