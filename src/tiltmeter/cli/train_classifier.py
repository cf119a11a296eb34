"""train classifier: a classifier of texts, with its spread over seeds and baselines beside it."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from tiltmeter.cli import completion, training
from tiltmeter.cli.arguments import plain_name
from tiltmeter.cli.console import err
from tiltmeter.core.errors import BadInput
from tiltmeter.core.options import Encoding
from tiltmeter.models.opening.model_options import AllowPickle, Device, Revision
from tiltmeter.run.run_options import SkipInvalid

Number = TypeVar("Number", int, float)


def classifier(  # noqa: PLR0913 the command line's own options
    *,
    model: Annotated[
        str,
        typer.Argument(
            help="A masked, causal, permutation or seq2seq model, an encoder, or mitigated:FOLDER.",
            show_default=False,
            autocompletion=completion.models,
        ),
    ],
    data: Annotated[
        str,
        typer.Option(help="A registered set of labelled texts, or a table.", metavar="FILE"),
    ],
    text: Annotated[str, typer.Option(help="Column of your table with the texts.")] = "",
    label: Annotated[str, typer.Option(help="Column of your table with the labels.")] = "",
    groups: Annotated[
        list[str] | None,
        typer.Option(
            help="Column with groups, kept in test.jsonl (repeatable).", show_default=False
        ),
    ] = None,
    positive: Annotated[
        str, typer.Option(help="The label that is positive; several with + between them.")
    ] = "",
    cleaning: Annotated[
        str, typer.Option(help="elsafoury2021, none, or a TOML file of yours.")
    ] = "elsafoury2021",
    out_folder: Annotated[
        Path | None, typer.Option("--out", help="Folder (default: classifiers/MODEL-DATA).")
    ] = None,
    seeds: Annotated[str, typer.Option(help="Seeds of the trainings.")] = "0,1,2",
    split: Annotated[
        str, typer.Option(help="Shares to train on, to validate on and to test on.")
    ] = "0.4,0.3,0.3",
    split_seed: Annotated[int, typer.Option(min=0, help="Seed of the split.")] = 0,
    epochs: training.Epochs = 3,
    batch_size: Annotated[int, typer.Option(min=1, help="Texts per step.")] = 32,
    learning_rate: training.LearningRate = 2e-5,
    max_tokens: Annotated[int, typer.Option(min=4, help="Longer texts are cut.")] = 61,
    limit: Annotated[
        int | None, typer.Option(min=9, help="Use a random sample of this many texts.")
    ] = None,
    device: Device = "auto",
    encoding: Encoding = "",
    skip_invalid: SkipInvalid = False,
    revision: Revision = None,
    allow_pickle: AllowPickle = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Train a classifier of texts with several seeds, and test each once."""
    from tiltmeter.data.files.renamed_columns import renamed_file
    from tiltmeter.train.classifier import ClassifierConfig, place_of_seed, train

    folder = out_folder or Path("classifiers") / f"{plain_name(model)}-{Path(data).stem}"
    config = ClassifierConfig(
        model=model, data=data, out=str(folder), positive=positive, cleaning=cleaning,
        seeds=tuple(_numbers(seeds, int, "--seeds", "whole numbers", "0,1,2")),
        shares=tuple(_numbers(split, float, "--split", "numbers", "0.4,0.3,0.3")), split_seed=split_seed,
        epochs=epochs, batch_size=batch_size, learning_rate=learning_rate, max_tokens=max_tokens,
        limit=limit, device=device, encoding=encoding, skip_invalid=skip_invalid, revision=revision,
        allow_pickle=allow_pickle,
    )  # fmt: skip
    columns = {field: name for field, name in (("text", text), ("label", label)) if name}
    columns |= {f"group_{name.removeprefix('group_')}": name for name in groups or ()}
    naming = "--text" if text else "--label" if label else "--groups"
    with training.Training("texts") as progress, renamed_file(data, columns, naming=naming):
        said = train(config, progress, lambda line: err.print(line, soft_wrap=True, markup=False))
    folders = [place_of_seed(folder, seed) for seed in config.seeds]
    training.print_trained(said, lines, folders, as_json=as_json)


def _numbers(
    text: str, kind: Callable[[str], Number], option: str, what: str, example: str
) -> list[Number]:
    with suppress(ValueError):
        if "_" not in text:  # Python takes 1_0 for 10
            return [kind(part) for part in text.split(",")]
    raise BadInput(f"{option} is {text!r}", f"write {what} with commas: {example}")


def lines(said: Mapping[str, Any]) -> list[str]:
    """The results on the test part: a line for each measure, baselines beside it."""
    tested = said["parts"]["test"]
    positive = f" (positive: {said['positive']})" if said["positive"] else ""
    count = len(said["seeds"])
    rows = [
        f"On {tested:,} test texts{positive}, mean over {count} seed{'s' if count > 1 else ''}:"
    ]
    width = max(map(len, said["test"]))
    for name, spread in said["test"].items():
        unit, digits = (" %", 1) if name in said["percent"] else ("", 3)
        sd = f" (sd {spread['sd']:.{digits}f})" if spread["sd"] is not None else ""
        others = "; ".join(
            f"{title} {scores[name]:.{digits}f}{unit}"
            for title, scores in said["baselines"].items()
            if name in scores
        )
        shown = name.replace("_", " ")
        rows.append(f"  {shown:<{width}}  {spread['mean']:.{digits}f}{unit}{sd}; {others}")
    return rows
