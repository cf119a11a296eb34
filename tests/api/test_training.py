"""A study measured during a real training: the curve is there, and the training is what it was."""

import logging
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tiltmeter as tm
from support.architectures import build
from tiltmeter.core.errors import BadInput, CannotAnswer, UnknownName
from tiltmeter.run.stored_answers.store import STORE

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytest.importorskip("accelerate")
TEXTS = ("the nurse said that she was late", "my uncle fixed the old roof", "people ran home")
KEY = "tiltmeter/starter_pairs/stereotype_rate"
STEPS = 4


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    place = tmp_path_factory.mktemp("models")
    return {kind: build(kind, place / kind) for kind in ("bert", "gpt2")}


def trainer_of(folder, **named):
    """A tiny model with dropout, which learns a few sentences; equal calls make equal trainers."""
    transformers.set_seed(0)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    masked = "bert" in str(folder)
    auto = transformers.AutoModelForMaskedLM if masked else transformers.AutoModelForCausalLM
    model = auto.from_pretrained(folder)
    tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token
    rows = [{"input_ids": tokenizer(text)["input_ids"]} for text in TEXTS * 4]
    collator = transformers.DataCollatorForLanguageModeling(
        tokenizer, mlm=masked, mlm_probability=0.3
    )
    settings = {
        "output_dir": "out", "max_steps": STEPS, "per_device_train_batch_size": 2, "use_cpu": True,
        "logging_steps": 1, "save_strategy": "no", "report_to": "none", "disable_tqdm": True,
        "learning_rate": 0.01,
    }  # fmt: skip
    args = transformers.TrainingArguments(**(settings | named))
    return transformers.Trainer(
        model=model, args=args, train_dataset=rows, data_collator=collator,
        processing_class=tokenizer,
    )  # fmt: skip


def losses(trainer):
    return [
        (row["step"], row["loss"], row["grad_norm"])
        for row in trainer.state.log_history
        if "loss" in row
    ]


def random_states():
    arrays = np.random.get_state()[1].tolist()  # noqa: NPY002
    return random.getstate(), arrays, torch.get_rng_state().tolist()


def curve(trainer):
    return [row for row in trainer.state.log_history if KEY in row]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["bert", "gpt2"])
def test_the_training_is_the_same_with_and_without(folders, kind):
    plain = trainer_of(folders[kind])
    plain.train()
    watched = trainer_of(folders[kind])
    seen = tm.TiltmeterCallback("starter_pairs", every=2, limit=12).attach(watched)
    watched.train()
    assert len(losses(plain)) == STEPS
    assert losses(watched) == losses(plain)  # bit by bit
    pairs = zip(plain.model.parameters(), watched.model.parameters(), strict=True)
    assert all(torch.equal(a, b) for a, b in pairs)
    assert [row["step"] for row in curve(watched)] == [0, 2, 4]
    assert [one.step for one in seen.history] == [0, 2, 4]


@pytest.mark.slow
def test_the_curve_is_what_a_run_of_the_model_says(folders):
    trainer = trainer_of(folders["bert"])
    seen = tm.TiltmeterCallback("starter_pairs", every=3, limit=40, seed=5, rule="aul").attach(
        trainer
    )
    trainer.train()
    assert [row["step"] for row in curve(trainer)] == [0, 3, 4]  # and after the last step
    items = [record.item for record in seen.last.records]
    assert len(items) == 40
    wrapped = tm.wrap(trainer.model, trainer.processing_class)
    whole = tm.run("starter_pairs", wrapped, rule="aul")
    of_all = {record.item: record.scores for record in whole.records}
    for record in seen.last.records:
        assert record.scores["more"] == pytest.approx(of_all[record.item]["more"], abs=1e-5)
    last = curve(trainer)[-1]
    head = seen.last.headline
    assert (last[KEY], last[f"{KEY}_low"], last[f"{KEY}_high"]) == (head.value, head.low, head.high)
    assert seen.last.card.rule == "aul"
    assert "40 of 270 items" in " ".join(map(str, seen.last.card.notes))


@pytest.mark.slow
def test_the_items_are_the_same_at_every_step_and_for_every_equal_seed(folders, monkeypatch):
    trainer = trainer_of(folders["bert"])
    asked = []
    measure = tm.TiltmeterCallback.measure

    def noted(self, *given):
        result = measure(self, *given)
        asked.append([record.item for record in result.records])
        return result

    monkeypatch.setattr(tm.TiltmeterCallback, "measure", noted)
    tm.TiltmeterCallback("starter_pairs", every=2, limit=7).attach(trainer)
    trainer.train()
    tm.TiltmeterCallback("starter_pairs", every=9, limit=7).measure(
        trainer.model, trainer.processing_class, 0
    )
    tm.TiltmeterCallback("starter_pairs", every=9, limit=7, seed=1).measure(
        trainer.model, trainer.processing_class, 0
    )
    *same, other = asked
    assert len(same) == 4
    assert all(items == same[0] for items in same)
    assert other != same[0]


@pytest.mark.slow
def test_no_answer_is_taken_from_the_cache_or_left_there(folders, tmp_path):
    trainer = trainer_of(folders["bert"])
    seen = tm.TiltmeterCallback("starter_pairs", every=2, limit=5).attach(trainer)
    trainer.train()
    assert not (tmp_path / "cache" / STORE).exists()
    assert seen.last.card.run["recalled"] == 0
    first, last = seen.history[0].estimate, seen.last
    assert first.model != last.card.model["name"] == "step 4"


def drawing(measure):
    """As a model would that draws random numbers when it is asked."""

    def changed(self, model, *given):
        random.random()
        np.random.random()  # noqa: NPY002
        torch.rand(3)
        return measure(self, model, *given)

    return changed


def test_everything_is_left_as_it_was(folders, monkeypatch):
    monkeypatch.setattr(tm.TiltmeterCallback, "measure", drawing(tm.TiltmeterCallback.measure))
    trainer = trainer_of(folders["gpt2"])
    model = trainer.model.train()
    model.transformer.h[0].eval()
    frozen = next(model.parameters()).requires_grad_(False)
    model.config.use_cache = True
    modes = [module.training for module in model.modules()]
    states = random_states()
    callback = tm.TiltmeterCallback("starter_pairs", every=1, limit=3)
    control, state = transformers.TrainerControl(should_log=True), transformers.TrainerState()
    callback.on_step_end(
        trainer.args, state, control, model=model, processing_class=trainer.processing_class
    )
    assert len(callback.history) == 1
    assert [module.training for module in model.modules()] == modes
    assert not frozen.requires_grad
    assert sum(p.requires_grad for p in model.parameters()) == len([*model.parameters()]) - 1
    assert model.config.use_cache is True
    assert control.should_log
    assert random_states() == states


def test_only_the_main_process_measures(folders):
    trainer = trainer_of(folders["bert"])
    callback = tm.TiltmeterCallback("starter_pairs", every=1, limit=3)
    state = transformers.TrainerState(is_world_process_zero=False)
    callback.on_step_end(trainer.args, state, transformers.TrainerControl(), model=trainer.model)
    assert callback.history == []
    assert callback.last is None


@pytest.mark.slow
def test_tensorboard_gets_the_curve(folders, tmp_path, monkeypatch):
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    monkeypatch.setenv("TENSORBOARD_LOGGING_DIR", str(tmp_path / "board"))
    trainer = trainer_of(folders["bert"], report_to="tensorboard")
    tm.TiltmeterCallback("starter_pairs", every=2, limit=12).attach(trainer)
    trainer.train()
    (file,) = (tmp_path / "board").rglob("events.out.tfevents.*")
    events = accumulator.EventAccumulator(str(file))
    events.Reload()
    points = events.Scalars(f"train/{KEY}")
    assert [(p.step, pytest.approx(p.value)) for p in points] == [
        (row["step"], row[KEY]) for row in curve(trainer)
    ]
    assert {f"train/{KEY}_low", f"train/{KEY}_high"} <= set(events.Tags()["scalars"])


@pytest.mark.slow
def test_without_a_trainer_the_curve_is_in_the_history_and_that_is_said(folders, caplog):
    trainer = trainer_of(folders["bert"])
    trainer.add_callback(tm.TiltmeterCallback("starter_pairs", every=4, limit=5))
    trainer.train()
    assert [row["step"] for row in curve(trainer)] == [0, 4]
    assert "call callback.attach(trainer)" in caplog.text


@pytest.mark.slow
def test_a_measurement_that_fails_does_not_end_the_training(folders, caplog):
    trainer = trainer_of(folders["bert"])
    seen = tm.TiltmeterCallback("starter_pairs", every=2, rule="log_likelihood").attach(trainer)
    trainer.train()
    assert trainer.state.global_step == STEPS
    assert seen.history == []
    failures = [r for r in caplog.records if "measuring failed after step" in r.getMessage()]
    assert [r.levelno for r in failures] == [logging.WARNING] * 3
    assert "log_likelihood" in failures[0].getMessage()


@pytest.mark.slow
def test_a_measurement_that_fails_ends_the_training_if_asked(folders):
    trainer = trainer_of(folders["bert"])
    tm.TiltmeterCallback("starter_pairs", every=2, rule="log_likelihood", on_error="raise").attach(
        trainer
    )
    with pytest.raises(CannotAnswer, match="log_likelihood"):
        trainer.train()


def test_weights_that_are_spread_are_not_asked(folders):
    trainer = trainer_of(folders["bert"])
    callback = tm.TiltmeterCallback("starter_pairs", every=1)
    with pytest.raises(CannotAnswer, match="spread over processes"):
        callback.measure(trainer.model, trainer.processing_class, 0, Args())


class Args:
    fsdp = "full_shard"


def test_mistakes_are_reported_before_the_training():
    with pytest.raises(UnknownName, match="starter_pairs"):
        tm.TiltmeterCallback("starter_pair", every=1)
    for name, value in (("every", 0), ("limit", 0), ("on_error", "ignore")):
        with pytest.raises(BadInput, match=f"{name}={value!r}"):
            tm.TiltmeterCallback("starter_pairs", **({"every": 1} | {name: value}))


def test_without_transformers_it_says_what_to_install():
    code = (
        "import sys\nfor name in ('torch', 'transformers'):\n    sys.modules[name] = None\n"
        "import tiltmeter as tm\n"
        "try:\n    tm.TiltmeterCallback('starter_pairs', every=1)\n"
        "except tm.TiltmeterError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'tiltmeter-bias[hf]'" in done.stdout


def test_it_is_a_callback_of_transformers():
    assert issubclass(tm.TiltmeterCallback, transformers.TrainerCallback)


@pytest.mark.slow
def test_the_example_on_the_page_runs(folders, capsys):
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "python.md").read_text("utf-8")
    section = page.partition("\n## During training\n")[2]
    example = section.partition("```text\n")[2].partition("\n```")[0]
    example = example.replace("limit=200", "limit=20")  # as fast as a test should be
    small = trainer_of(folders["bert"])
    scope = {
        "tm": tm, "Trainer": transformers.Trainer, "args": small.args, "model": small.model,
        "texts": small.train_dataset, "tokenizer": small.processing_class,
        "collator": small.data_collator,
    }  # fmt: skip
    exec(compile(example, "python.md", "exec"), scope)  # our own page
    steps = [one.step for one in scope["callback"].history]
    assert steps == [0, STEPS]
    assert len(scope["callback"].last.records) == 20
    assert f"[(0, {scope['callback'].history[0].estimate.value}" in capsys.readouterr().out


def test_a_bar_shows_how_far_a_measurement_is(folders, capfd):
    for disabled in (True, False):
        trainer = trainer_of(folders["bert"], max_steps=1, disable_tqdm=disabled)
        tm.TiltmeterCallback("starter_pairs", every=9, limit=20).attach(trainer)
        trainer.train()
        assert ("starter_pairs, step 0" in capfd.readouterr().err) != disabled


def test_it_is_attached_once(folders):
    trainer = trainer_of(folders["bert"])
    callback = tm.TiltmeterCallback("starter_pairs", every=1)
    trainer.add_callback(callback)
    assert callback.attach(trainer).attach(trainer) is callback
    assert trainer.callback_handler.callbacks.count(callback) == 1
