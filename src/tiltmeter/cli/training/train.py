"""train next-sentence, inference, classifier: what trainings show while they run and when they are done."""

import shlex
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import exp
from pathlib import Path
from typing import Annotated, Any

from rich.progress import MofNCompleteColumn, TextColumn

from tiltmeter.cli.arguments import Json
from tiltmeter.cli.console import err, out, print_json, print_path
from tiltmeter.cli.terminal_monitor import Bar
from tiltmeter.core.reading.options import Option
from tiltmeter.core.text import counted
from tiltmeter.train.steps import TrainingProgress
from tiltmeter.train.training_config import ClassifierConfig, InferenceConfig, NextSentenceConfig


class Training(Bar, TrainingProgress):
    """How far a training is and its loss; a line for each evaluation."""

    def __init__(self, unit: str = "pairs") -> None:
        loss = TextColumn("loss {task.fields[loss]:.3f}", markup=False)
        super().__init__(MofNCompleteColumn(), loss)
        self._unit = unit
        self._steps = self._before = 0

    def start(self, *, steps: int, done: int, examples: int, held_out: int) -> None:
        """So much is to do, so much was done before."""
        self._steps, self._before = steps, done
        self._begun = self._printed = time.monotonic()
        on = f", resuming after step {done:,}" if done else ""
        err.print(
            f"{examples:,} {self._unit} to train on, {held_out:,} held out; {counted(steps, 'steps')}{on}"
        )
        if err.is_terminal:
            self._start()
            self._task = self._bar.add_task("training", total=steps, completed=done, loss=0.0)

    def step(self, done: int, loss: float) -> None:
        """So many steps are done by now, the last with this loss."""
        if self._task is not None:
            self._bar.update(self._task, completed=done, loss=loss)
        elif self._is_line_due():
            left = (self._printed - self._begun) / (done - self._before) * (self._steps - done)
            err.print(f"step {done:,} of {self._steps:,}: loss {loss:.3f}, {left:,.0f} s left")

    def evaluated(self, done: int, loss: float, accuracy: float) -> None:
        """Print what the model reaches on what is held out."""
        err.print(f"after step {done:,}: held-out loss {loss:.3f}, accuracy {percent(accuracy)}")


def print_trained(
    said: Mapping[str, Any],
    lines: Callable[[Mapping[str, Any]], Iterable[str]],
    folders: Sequence[Path],
    *,
    as_json: bool,
    model: str = "",
) -> None:
    """The description of what was trained as JSON, or as lines with the folders below them.

    `model` is how a study names the first of the folders, if not by its path.
    """
    if as_json:
        print_json(said)
        return
    for line in lines(said):
        out.print(line, soft_wrap=True, markup=False)
    for folder in folders:
        print_path(folder)
    command = shlex.join(["tiltmeter", "run", "STUDY", model or str(folders[0])])
    err.print(f"Measure it: {command}", style="dim")


def percent(share: float) -> str:
    """A share of 1 as a person reads it.

    >>> percent(0.5)
    '50.0 %'
    """
    return f"{100 * share:.1f} %"


def steps_line(pairs: int, said: Mapping[str, Any]) -> str:
    """How long was trained on how many pairs, and which weights were kept."""
    early = "" if said["steps"] == said["of"] else f" of {said['of']:,}: the loss stopped falling"
    return f"{counted(pairs, 'pairs')}, {counted(said['steps'], 'steps')}{early}; kept: step {said['kept']:,}"


def next_sentence(config: NextSentenceConfig, *, as_json: Json = False) -> None:
    """Train a next-sentence head: does one sentence follow another?"""
    from tiltmeter.train.next_sentence import result, train

    with Training() as progress:
        folder = train(config, progress)
    headed = f"headed:{config.model},{folder}"
    print_trained(result(folder), _next_sentence_lines, [folder], as_json=as_json, model=headed)


def _next_sentence_lines(said: Mapping[str, Any]) -> list[str]:
    held = said["held_out"]
    low, high = held["interval"]
    judged = (
        f"Held-out accuracy {percent(held['accuracy'])} ({100 * low:.1f} to {100 * high:.1f}) on "
        f"{counted(held['pairs'], 'pairs')} of held-out documents (chance: 50 %); loss {held['loss']:.3f} "
        "(chance: 0.693)"
    )
    return [judged, steps_line(said["pairs"], said)]


UNREAD = (
    "Studies for which a model writes do not take sequence-to-sequence models; let this one write with "
    "transformers (AutoModelForSeq2SeqLM, generate)"
)


def inference(config: InferenceConfig, *, as_json: Json = False) -> None:
    """Train a language model to write what may be true of a premise."""
    from tiltmeter.train.inference import result, train

    with Training() as progress:
        folder = train(config, progress)
    print_trained(result(folder), _inference_lines, [folder], as_json=as_json)


def _inference_lines(said: Mapping[str, Any]) -> list[str]:
    held, data = said["held_out"], said["data"]
    apart = {reason: count for reason, count in data["left out"].items() if count}
    left_out = "; ".join(f"{count:,} {reason}" for reason, count in apart.items())
    judged = (
        f"Held-out perplexity {exp(held['loss']):.1f}, untrained {exp(held['loss_untrained']):.1f}, over "
        f"{counted(held['tokens'], 'tokens')} of {counted(held['pairs'], 'hypotheses')} about "
        "held-out premises"
    )
    return [
        judged,
        steps_line(data["pairs"], said),
        *([f"Left out: {left_out}"] if left_out else []),
        f"Relations: {', '.join(said['relations'])}",
        *([UNREAD] if said["base"]["kind"] == "seq2seq" else []),
    ]


def classifier(
    config: ClassifierConfig,
    *,
    text_column: Annotated[str, Option("Column of your table with the texts.")] = "",
    label_column: Annotated[str, Option("Column of your table with the labels.")] = "",
    groups: Annotated[
        list[str] | None, Option("Column with groups, kept with the test texts (repeatable).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Train a classifier of texts with several seeds, and test each once."""
    from tiltmeter.data.files.renamed_columns import renamed_file
    from tiltmeter.train.classifier import place_of_seed, train

    columns = {
        field: name for field, name in (("text", text_column), ("label", label_column)) if name
    }
    columns |= {f"group_{name.removeprefix('group_')}": name for name in groups or ()}
    naming = "--text-column" if text_column else "--label-column" if label_column else "--groups"
    with Training("texts") as progress, renamed_file(config.data, columns, naming=naming):
        facts = train(config, progress, lambda line: err.print(line, soft_wrap=True, markup=False))
    folders = [place_of_seed(config.folder, seed) for seed in config.seeds]
    print_trained(facts, _classifier_lines, folders, as_json=as_json)


def _classifier_lines(said: Mapping[str, Any]) -> list[str]:
    """The results on the test part: a row for each measure, baselines beside it."""
    from tiltmeter.report import text_table

    tested = said["parts"]["test"]
    positive = f" (positive: {said['positive']})" if said["positive"] else ""
    count = len(said["seeds"])
    heading = (
        f"On {counted(tested, 'test texts')}{positive}, mean over {count} "
        f"seed{'s' if count > 1 else ''}:"
    )

    def written(name: str, value: float) -> str:
        return f"{value:.1f} %" if name in said["percent"] else f"{value:.3f}"

    def mean(name: str, spread: Mapping[str, float | None]) -> str:
        sd = (
            ""
            if spread["sd"] is None
            else f" (sd {written(name, spread['sd']).removesuffix(' %')})"
        )
        return written(name, spread["mean"] or 0.0) + sd

    columns = [
        text_table.TextColumn("", [name.replace("_", " ") for name in said["test"]], right=False),
        text_table.TextColumn("classifier", [mean(*item) for item in said["test"].items()]),
        *(
            text_table.TextColumn(
                title, [written(n, scores[n]) if n in scores else "" for n in said["test"]]
            )
            for title, scores in said["baselines"].items()
        ),
    ]
    shown = text_table.lines(columns, text_table.total(columns), [False] * len(said["test"]))
    rows = [
        heading, *(line.plain.rstrip() for line in shown),
        "TF-IDF: logistic regression on words; most frequent label: given to every text",
    ]  # fmt: skip
    if never := said["never positive"]:
        which = f"seed {never[0]}" if len(never) == 1 else f"{len(never)} of {count} seeds"
        rows.append(
            f"Warning: with {which}, no test text is called {said['positive']}: it learned only how "
            "frequent the labels are. Train for more --epochs, or with another --learning-rate."
        )
    return rows
