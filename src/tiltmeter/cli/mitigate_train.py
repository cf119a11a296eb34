"""mitigate train: counterfactual data augmentation and dropout; training resumes after a stop."""

from pathlib import Path
from typing import Annotated

import typer

from tiltmeter.cli import completion, training
from tiltmeter.cli.arguments import Corpus, Json, data_file, plain_name
from tiltmeter.cli.console import err, out, print_json
from tiltmeter.cli.mitigate_show import say_how_to_measure
from tiltmeter.core.options import Encoding
from tiltmeter.models.opening.model_options import AllowPickle, Device, Revision


def train(  # noqa: PLR0913 the command line's own options
    method: Annotated[
        str,
        typer.Argument(help="cda or dropout.", autocompletion=completion.words("cda", "dropout")),
    ],
    model: Annotated[
        str,
        typer.Argument(
            help="A masked or causal model: a folder, a hub id or a registered name.",
            autocompletion=completion.models,
        ),
    ],
    *,
    corpus: Corpus,
    attribute: Annotated[
        str, typer.Option(help="cda: gender, race, religion, or a table of your --words.")
    ] = "",
    out_folder: Annotated[
        Path | None,
        typer.Option(
            "--out", help="The new folder (default: mitigations/MODEL-METHOD[-ATTRIBUTE])."
        ),
    ] = None,
    words: Annotated[
        Path | None,
        typer.Option(help="cda: a TOML file of defining words.", parser=data_file, metavar="FILE"),
    ] = None,
    keep_neutral: Annotated[
        bool, typer.Option("--keep-neutral", help="cda: keep sentences without a defining word.")
    ] = False,
    hidden_dropout: Annotated[
        float | None,
        typer.Option(help="dropout: rate for hidden states (default: the published value)."),
    ] = None,
    attention_dropout: Annotated[
        float | None,
        typer.Option(help="dropout: rate for attention (default: the published value)."),
    ] = None,
    steps: Annotated[int, typer.Option(min=1, help="Training steps.")] = 200,
    batch_size: Annotated[int, typer.Option(min=1, help="Rows of text per step.")] = 16,
    max_tokens: Annotated[int, typer.Option(min=8, help="Most tokens in a row of text.")] = 128,
    learning_rate: training.LearningRate = 5e-5,
    warm_up: training.WarmUp = None,
    evaluate_every: Annotated[
        int | None,
        typer.Option(
            min=1, help="Steps between evaluations (default: before the first and after the last)."
        ),
    ] = None,
    checkpoint_every: training.CheckpointEvery = 50,
    at_once: Annotated[
        int | None, typer.Option(min=1, help="Rows computed at once; limits memory use.")
    ] = None,
    held_out: training.DocumentsHeldOut = 0.1,
    seed: training.RandomSeed = 0,
    device: Device = "auto",
    precision: training.Precision = "float32",
    encoding: Encoding = "",
    revision: Revision = None,
    allow_pickle: AllowPickle = False,
    as_json: Json = False,
) -> None:
    """Train a model further to mitigate bias: with counterfactual sentences, or more dropout."""
    from tiltmeter.mitigate import retrain
    from tiltmeter.report.documents.mitigation import training_document
    from tiltmeter.report.terminal import print_document
    from tiltmeter.train import continued

    folder = "-".join(part for part in (plain_name(model), method, attribute) if part)
    config = retrain.RetrainConfig(
        method=method,  # type: ignore[arg-type]  # checked when it is made
        corpus=str(corpus),
        attribute=attribute,
        words=str(words or ""),
        keep_neutral=keep_neutral,
        held_out=held_out,
        encoding=encoding,
        training=continued.ContinuedConfig(
            model=model,
            out=str(out_folder or Path("mitigations") / folder),
            steps=steps,
            batch_size=batch_size,
            max_tokens=max_tokens,
            learning_rate=learning_rate,
            warm_up=warm_up,
            evaluate_every=evaluate_every,
            checkpoint_every=checkpoint_every,
            at_once=at_once,
            hidden_dropout=hidden_dropout,
            attention_dropout=attention_dropout,
            seed=seed,
            device=device,
            precision=precision,
            revision=revision,
            allow_pickle=allow_pickle,
        ),
    )
    with training.Training("rows of text") as progress:
        made = retrain.train(config, progress, err.print)
    said = continued.result(made)
    if as_json:
        print_json(said)
        return
    print_document(training_document(said), out)
    say_how_to_measure(model, str(made))
