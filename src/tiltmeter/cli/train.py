"""train next-sentence: a head that says whether one sentence follows another."""

from collections.abc import Mapping
from typing import Any

from tiltmeter.cli import training
from tiltmeter.cli.arguments import Json
from tiltmeter.train.training_config import NextSentenceConfig


def next_sentence(config: NextSentenceConfig, *, as_json: Json = False) -> None:
    """Train a next-sentence head: does one sentence follow another?"""
    from tiltmeter.train.next_sentence import result, train

    with training.Training() as progress:
        folder = train(config, progress)
    headed = f"headed:{config.model},{folder}"
    training.print_trained(result(folder), _lines, [folder], as_json=as_json, model=headed)


def _lines(said: Mapping[str, Any]) -> list[str]:
    held = said["held_out"]
    low, high = held["interval"]
    judged = (
        f"Held-out accuracy {training.percent(held['accuracy'])} [{100 * low:.1f}, {100 * high:.1f}] on "
        f"{held['pairs']:,} pairs of held-out documents (chance: 50 %); loss {held['loss']:.3f} "
        "(chance: 0.693)"
    )
    return [judged, training.steps_line(said["pairs"], said)]
