"""train inference: train a causal model to write hypotheses about premises."""

from math import exp
from pathlib import Path
from typing import Annotated, Any

import typer

from tiltmeter.cli import completion
from tiltmeter.cli.arguments import AllowPickle, Device, Revision, data_file
from tiltmeter.cli.console import out, print_json, print_path
from tiltmeter.cli.train import Training


def inference(  # noqa: PLR0913 the command line's own options
    model: Annotated[
        str,
        typer.Argument(
            help="A causal language model: a folder, a hub id or a registered name.",
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
    epochs: Annotated[int, typer.Option(min=1, help="Maximum number of epochs.")] = 4,
    batch_size: Annotated[int, typer.Option(min=1, help="Pairs per step.")] = 16,
    learning_rate: Annotated[float, typer.Option(help="Peak learning rate.")] = 5e-5,
    warm_up: Annotated[
        int | None, typer.Option(min=0, help="Warm-up steps (default: a tenth of all steps).")
    ] = None,
    max_tokens: Annotated[
        int, typer.Option(min=8, help="Most tokens in a pair; longer ones are left out.")
    ] = 96,
    patience: Annotated[
        int, typer.Option(min=1, help="Stop after this many evaluations without a lower loss.")
    ] = 2,
    evaluate_every: Annotated[
        int | None, typer.Option(min=1, help="Steps between evaluations (default: one epoch).")
    ] = None,
    checkpoint_every: Annotated[int, typer.Option(min=1, help="Steps.")] = 200,
    held_out: Annotated[
        float, typer.Option(help="Share of the premises held out from training.")
    ] = 0.1,
    pairs: Annotated[
        int | None, typer.Option(min=4, help="Maximum number of pairs, including held-out ones.")
    ] = None,
    at_once: Annotated[
        int | None, typer.Option(min=1, help="Pairs computed at once; limits memory use.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    device: Device = "auto",
    precision: Annotated[str, typer.Option(help="float32 or bfloat16.")] = "float32",
    encoding: Annotated[str, typer.Option(help="Encoding of the data (default UTF-8).")] = "",
    revision: Revision = None,
    allow_pickle: AllowPickle = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the model's description as JSON.")
    ] = False,
) -> None:
    """Train a causal model to write what may be true of a premise."""
    from tiltmeter.train.inference import InferenceConfig, result, train

    named = Path(model.rpartition(":")[2]).expanduser().resolve().name or "model"
    config = InferenceConfig(
        model=model,
        data=str(data),
        format=form,  # type: ignore[arg-type]  # checked when it is made
        out=str(out_folder or Path("generators") / f"{named}-{form}"),
        relations=tuple(relation or ()),
        epochs=epochs,
        batch_size=batch_size,
        learning_rate=learning_rate,
        warm_up=warm_up,
        max_tokens=max_tokens,
        patience=patience,
        evaluate_every=evaluate_every,
        checkpoint_every=checkpoint_every,
        held_out=held_out,
        pairs=pairs,
        at_once=at_once,
        seed=seed,
        device=device,
        precision=precision,
        encoding=encoding,
        revision=revision,
        allow_pickle=allow_pickle,
    )
    progress = Training()
    try:
        folder = train(config, progress)
    finally:
        progress.stop()
    said = result(folder)
    if as_json:
        print_json(said)
        return
    for line in _lines(said):
        out.print(line, soft_wrap=True)
    print_path(folder)


def _lines(said: dict[str, Any]) -> list[str]:
    held, data = said["held_out"], said["data"]
    early = "" if said["steps"] == said["of"] else f" of {said['of']:,}: the loss stopped falling"
    apart = {reason: count for reason, count in data["left out"].items() if count}
    left_out = "; ".join(f"{count:,} {reason}" for reason, count in apart.items())
    judged = (
        f"Held-out perplexity {exp(held['loss']):.1f}, untrained {exp(held['loss_untrained']):.1f}, over "
        f"{held['tokens']:,} tokens of {held['pairs']:,} hypotheses about held-out premises"
    )
    return [
        judged,
        f"{data['pairs']:,} pairs, {said['steps']:,} steps{early}; kept: step {said['kept']:,}",
        *([f"Left out: {left_out}"] if left_out else []),
        f"Relations: {', '.join(said['relations'])}",
    ]
