"""The options of a training's steps: the same in every trainer, each checked once."""

import pytest
import torch

from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.options import options_of
from tiltmeter.train.step_options import StepOptions
from tiltmeter.train.training_config import (
    ClassifierConfig,
    ContinuedConfig,
    InferenceConfig,
    NextSentenceConfig,
)

TRAINERS = (NextSentenceConfig, InferenceConfig, ClassifierConfig, ContinuedConfig)
MADE = {
    NextSentenceConfig: ("m", "c"),
    InferenceConfig: ("m", "d", "nli"),
    ClassifierConfig: ("m", "d"),
    ContinuedConfig: ("m",),
}


@pytest.mark.parametrize("trainer", TRAINERS)
def test_every_trainer_has_the_options_with_the_same_names_types_and_checks(trainer):
    mine, shared = options_of(trainer), options_of(StepOptions)
    assert shared.keys() <= mine.keys()
    for key, option in shared.items():
        assert mine[key].type == option.type
        if key != "max-tokens":  # an example may be a pair, which needs a few
            assert (mine[key].option.min, mine[key].choices) == (option.option.min, option.choices)


@pytest.mark.parametrize("trainer", TRAINERS)
@pytest.mark.parametrize(
    ("option", "value"),
    [("at_once", 0), ("batch_size", 0), ("warm_up", -1), ("patience", 0), ("learning_rate", 1.0)],
)
def test_numbers_out_of_range_are_refused_everywhere(trainer, option, value):
    with pytest.raises(BadInput, match=f"{option} is {value}"):
        trainer(*MADE[trainer], **{option: value})


def test_a_plan_without_patience_makes_all_steps_and_keeps_the_best_weights():
    config = ClassifierConfig("m", "d", epochs=5, evaluate_every=3, warm_up=7)
    plan = config.plan(8)
    evaluations = -(-40 // 3)
    assert (plan.steps, plan.warm_up, plan.patience) == (40, 7, evaluations)
    assert ClassifierConfig("m", "d", patience=2).plan(8).patience == 2


def test_trained_further_is_for_two_hundred_steps_for_epochs_or_as_said():
    steps = [
        ContinuedConfig("m", **how).further_plan(30)
        for how in ({}, {"epochs": 2}, {"steps": 12}, {"steps": 90, "patience": 1})
    ]
    assert [plan.steps for plan in steps] == [200, 60, 12, 90]
    assert [plan.patience for plan in steps] == [None, None, None, 1]
    assert [plan.evaluate_every for plan in steps] == [200, 60, 12, 30]
    with pytest.raises(BadInput, match=r"13 warm-up steps are not fewer than the 12.*--steps"):
        ContinuedConfig("m", steps=12, warm_up=13).further_plan(30)


def test_a_step_is_computed_at_once_as_far_as_the_device_has_room():
    cpu = torch.device("cpu")
    assert ClassifierConfig("m", "d").computing(cpu, 512).at_once == 2048 // 512
    assert ClassifierConfig("m", "d").computing(cpu, 61).at_once == 32  # the whole batch
    assert ClassifierConfig("m", "d", at_once=5).computing(cpu, 61).at_once == 5
    assert ClassifierConfig("m", "d").computing(torch.device("cuda"), 512).at_once == 32
