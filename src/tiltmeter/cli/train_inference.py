"""train inference: a language model that writes hypotheses about premises."""

from collections.abc import Mapping
from math import exp
from typing import Any

from tiltmeter.cli import training
from tiltmeter.cli.arguments import Json
from tiltmeter.train.training_config import InferenceConfig

UNREAD = (
    "Studies for which a model writes do not take sequence-to-sequence models; let this one write with "
    "transformers (AutoModelForSeq2SeqLM, generate)"
)


def inference(config: InferenceConfig, *, as_json: Json = False) -> None:
    """Train a language model to write what may be true of a premise."""
    from tiltmeter.train.inference import result, train

    with training.Training() as progress:
        folder = train(config, progress)
    training.print_trained(result(folder), _lines, [folder], as_json=as_json)


def _lines(said: Mapping[str, Any]) -> list[str]:
    held, data = said["held_out"], said["data"]
    apart = {reason: count for reason, count in data["left out"].items() if count}
    left_out = "; ".join(f"{count:,} {reason}" for reason, count in apart.items())
    judged = (
        f"Held-out perplexity {exp(held['loss']):.1f}, untrained {exp(held['loss_untrained']):.1f}, over "
        f"{held['tokens']:,} tokens of {held['pairs']:,} hypotheses about held-out premises"
    )
    return [
        judged,
        training.steps_line(data["pairs"], said),
        *([f"Left out: {left_out}"] if left_out else []),
        f"Relations: {', '.join(said['relations'])}",
        *([UNREAD] if said["base"]["kind"] == "seq2seq" else []),
    ]
