"""train inference: a language model that writes hypotheses about premises."""

from collections.abc import Mapping
from math import exp
from pathlib import Path
from typing import Annotated, Any

import typer

from tiltmeter.cli import completion, training
from tiltmeter.cli.arguments import data_file, plain_name
from tiltmeter.core.options import Encoding
from tiltmeter.models.opening.model_options import AllowPickle, Device, Revision

UNREAD = (
    "Studies for which a model writes do not take sequence-to-sequence models; let this one write with "
    "transformers (AutoModelForSeq2SeqLM, generate)"
)


def inference(  # noqa: PLR0913 the command line's own options
    model: Annotated[
        str,
        typer.Argument(
            help="A causal or seq2seq model: a folder, a hub id or a registered name.",
            autocompletion=completion.models,
        ),
    ],
    *,
    data: Annotated[
        Path,
        typer.Option(
            help="A table: premise, hypothesis, label (nli); event, relation, tail (if-then).",
            parser=data_file,
            metavar="FILE",
        ),
    ],
    form: Annotated[
        str,
        typer.Option(
            "--format", help="nli or if-then.", autocompletion=completion.words("nli", "if-then")
        ),
    ],
    relation: Annotated[
        list[str] | None,
        typer.Option(
            help="A relation to learn, with its words if they are your own; repeatable (default: "
            "neutral for nli, all in the data for if-then).",
            metavar="NAME[=WORDS]",
            show_default=False,
        ),
    ] = None,
    out_folder: Annotated[
        Path | None,
        typer.Option("--out", help="The new folder (default: generators/MODEL-FORMAT)."),
    ] = None,
    epochs: training.Epochs = 4,
    batch_size: training.PairsPerStep = 16,
    learning_rate: training.LearningRate = 5e-5,
    warm_up: training.WarmUp = None,
    max_tokens: Annotated[
        int, typer.Option(min=8, help="Most tokens in a pair; longer ones are left out.")
    ] = 96,
    patience: training.Patience = 2,
    evaluate_every: training.EvaluateEvery = None,
    checkpoint_every: training.CheckpointEvery = 200,
    held_out: Annotated[
        float, typer.Option(help="Share of the premises held out from training.")
    ] = 0.1,
    pairs: training.Pairs = None,
    at_once: Annotated[
        int | None, typer.Option(min=1, help="Pairs computed at once; limits memory use.")
    ] = None,
    seed: training.RandomSeed = 0,
    device: Device = "auto",
    precision: training.Precision = "float32",
    encoding: Encoding = "",
    revision: Revision = None,
    allow_pickle: AllowPickle = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the model's description as JSON.")
    ] = False,
) -> None:
    """Train a language model to write what may be true of a premise."""
    from tiltmeter.train.inference import InferenceConfig, result, train

    config = InferenceConfig(
        model=model, data=str(data),
        format=form,  # type: ignore[arg-type]  # checked when it is made
        out=str(out_folder or Path("generators") / f"{plain_name(model)}-{form}"),
        relations=tuple(relation or ()), epochs=epochs, batch_size=batch_size,
        learning_rate=learning_rate, warm_up=warm_up, max_tokens=max_tokens, patience=patience,
        evaluate_every=evaluate_every, checkpoint_every=checkpoint_every, held_out=held_out,
        pairs=pairs, at_once=at_once, seed=seed, device=device, precision=precision,
        encoding=encoding, revision=revision, allow_pickle=allow_pickle,
    )  # fmt: skip
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
