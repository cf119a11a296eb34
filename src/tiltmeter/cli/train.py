"""train next-sentence: a head that says whether one sentence follows another."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from tiltmeter.cli import completion, training
from tiltmeter.cli.arguments import Corpus, plain_name
from tiltmeter.core.options import Encoding
from tiltmeter.models.opening.model_options import AllowPickle, Device, Revision


def next_sentence(  # noqa: PLR0913 the command line's own options
    model: Annotated[
        str,
        typer.Argument(
            help="A masked, causal or permutation model: a folder, a hub id or a registered name.",
            autocompletion=completion.models,
        ),
    ],
    *,
    corpus: Corpus,
    out_folder: Annotated[
        Path | None,
        typer.Option("--out", help="The head's folder (default: heads/MODEL-next)."),
    ] = None,
    epochs: training.Epochs = 3,
    batch_size: training.PairsPerStep = 32,
    learning_rate: training.LearningRate = 1e-5,
    warm_up: training.WarmUp = None,
    max_tokens: Annotated[
        int, typer.Option(min=8, help="Most tokens in a pair; longer ones are cut.")
    ] = 256,
    patience: training.Patience = 3,
    evaluate_every: training.EvaluateEvery = None,
    checkpoint_every: training.CheckpointEvery = 200,
    held_out: training.DocumentsHeldOut = 0.1,
    pairs: training.Pairs = None,
    freeze: Annotated[
        bool, typer.Option("--freeze", help="Train only the head and leave the model unchanged.")
    ] = False,
    seed: training.RandomSeed = 0,
    device: Device = "auto",
    precision: training.Precision = "float32",
    encoding: Encoding = "",
    revision: Revision = None,
    allow_pickle: AllowPickle = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the head's description as JSON.")
    ] = False,
) -> None:
    """Train a next-sentence head: does one sentence follow another?"""
    from tiltmeter.train.next_sentence import NextSentenceConfig, result, train

    config = NextSentenceConfig(
        model=model, corpus=str(corpus),
        out=str(out_folder or Path("heads") / f"{plain_name(model)}-next"),
        epochs=epochs, batch_size=batch_size, learning_rate=learning_rate, warm_up=warm_up,
        max_tokens=max_tokens, patience=patience, evaluate_every=evaluate_every,
        checkpoint_every=checkpoint_every, held_out=held_out, pairs=pairs, freeze=freeze,
        seed=seed, device=device, precision=precision, encoding=encoding, revision=revision,
        allow_pickle=allow_pickle,
    )  # fmt: skip
    with training.Training() as progress:
        folder = train(config, progress)
    headed = f"headed:{model},{folder}"
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
