"""train next-sentence; and what all trainings show while they run."""

import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)

from tiltmeter.cli.arguments import AllowPickle, Corpus, Device, Revision
from tiltmeter.cli.console import DESCRIPTION, EVERY, err, out, print_json, print_path

app = typer.Typer(
    help="Train what a study needs and a model lacks: heads, writers of hypotheses, classifiers.",
    no_args_is_help=True,
)


@app.callback()
def start() -> None:
    """Train what a study needs and a model lacks."""


@app.command("next-sentence")
def next_sentence(  # noqa: PLR0913 the command line's own options
    *,
    model: Annotated[
        str,
        typer.Option(
            help="A masked, causal or permutation model: a folder, a hub id or a registered name."
        ),
    ],
    corpus: Corpus,
    out_folder: Annotated[
        Path | None,
        typer.Option("--out", help="The head's folder (default: heads/MODEL-next)."),
    ] = None,
    epochs: Annotated[int, typer.Option(min=1, help="Maximum number of epochs.")] = 3,
    batch_size: Annotated[int, typer.Option(min=1, help="Pairs per step.")] = 32,
    learning_rate: Annotated[float, typer.Option(help="Peak learning rate.")] = 1e-5,
    warm_up: Annotated[
        int | None, typer.Option(min=0, help="Warm-up steps (default: a tenth of all steps).")
    ] = None,
    max_tokens: Annotated[
        int, typer.Option(min=8, help="Most tokens in a pair; longer ones are cut.")
    ] = 256,
    patience: Annotated[
        int, typer.Option(min=1, help="Stop after this many evaluations without a lower loss.")
    ] = 3,
    evaluate_every: Annotated[
        int | None, typer.Option(min=1, help="Steps between evaluations (default: one epoch).")
    ] = None,
    checkpoint_every: Annotated[int, typer.Option(min=1, help="Steps.")] = 200,
    held_out: Annotated[
        float, typer.Option(help="Share of the documents held out from training.")
    ] = 0.1,
    pairs: Annotated[
        int | None, typer.Option(min=4, help="Maximum number of pairs, including held-out ones.")
    ] = None,
    freeze: Annotated[
        bool, typer.Option("--freeze", help="Train only the head and leave the model unchanged.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    device: Device = "auto",
    precision: Annotated[str, typer.Option(help="float32 or bfloat16.")] = "float32",
    encoding: Annotated[str, typer.Option(help="Encoding of the corpus (default UTF-8).")] = "",
    revision: Revision = None,
    allow_pickle: AllowPickle = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the head's description as JSON.")
    ] = False,
) -> None:
    """Train a next-sentence head: does one sentence follow another?"""
    from tiltmeter.train.next_sentence import NextSentenceConfig, result, train

    config = NextSentenceConfig(
        model=model,
        corpus=str(corpus),
        out=str(out_folder or Path("heads") / f"{plain_name(model)}-next"),
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
        freeze=freeze,
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


def plain_name(model: str) -> str:
    """A name for a folder, from the last part of what the user typed."""
    return Path(model.rpartition(":")[2]).expanduser().resolve().name or "model"


def _lines(said: dict[str, Any]) -> list[str]:
    held = said["held_out"]
    low, high = held["interval"]
    early = "" if said["steps"] == said["of"] else f" of {said['of']:,}: the loss stopped falling"
    judged = (
        f"Held-out accuracy {held['accuracy']:.1%} [{low:.1%}, {high:.1%}] on {held['pairs']:,} pairs of "
        f"held-out documents (chance: 50 %); loss {held['loss']:.3f} (chance: 0.693)"
    )
    return [
        judged,
        f"{said['pairs']:,} pairs, {said['steps']:,} steps{early}; kept: step {said['kept']:,}",
    ]


class Training:
    """A bar on a terminal, a line now and then elsewhere; a line for each evaluation."""

    def __init__(self, unit: str = "pairs") -> None:
        self._unit = unit
        self._bar = Progress(
            DESCRIPTION,
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TextColumn("loss {task.fields[loss]:.3f}", markup=False),
            TimeRemainingColumn(compact=True),
            console=err,
            transient=True,
        )
        self._task: TaskID | None = None
        self._begun = self._spoke = time.monotonic()
        self._steps = self._before = 0

    def start(self, *, steps: int, done: int, examples: int, held_out: int) -> None:
        """So much is to do, so much was done before."""
        self._steps, self._before = steps, done
        self._begun = self._spoke = time.monotonic()
        on = f", resuming after step {done:,}" if done else ""
        err.print(
            f"{examples:,} {self._unit} to train on, {held_out:,} held out; {steps:,} steps{on}"
        )
        if err.is_terminal:
            self._bar.start()
            self._task = self._bar.add_task("training", total=steps, completed=done, loss=0.0)

    def step(self, done: int, loss: float) -> None:
        """One step more."""
        now = time.monotonic()
        if self._task is not None:
            self._bar.update(self._task, completed=done, loss=loss)
        elif now - self._spoke >= EVERY:
            self._spoke = now
            left = (now - self._begun) / (done - self._before) * (self._steps - done)
            err.print(f"step {done:,} of {self._steps:,}: loss {loss:.3f}, {left:,.0f} s left")

    def evaluated(self, done: int, loss: float, accuracy: float) -> None:
        """On what is held out."""
        err.print(f"after step {done:,}: held-out loss {loss:.3f}, accuracy {accuracy:.1%}")

    def stop(self) -> None:
        """Take the bar away, if there is one."""
        if self._task is not None:
            self._bar.stop()
