"""train classifier: a classifier of texts, with its spread over seeds and baselines beside it."""

from collections.abc import Mapping
from typing import Annotated, Any

from tiltmeter.cli import training
from tiltmeter.cli.arguments import Json
from tiltmeter.cli.console import err
from tiltmeter.core.options import Option
from tiltmeter.train.training_config import ClassifierConfig


def classifier(
    config: ClassifierConfig,
    *,
    text: Annotated[str, Option("Column of your table with the texts.")] = "",
    label: Annotated[str, Option("Column of your table with the labels.")] = "",
    groups: Annotated[
        list[str] | None, Option("Column with groups, kept in test.jsonl (repeatable).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Train a classifier of texts with several seeds, and test each once."""
    from tiltmeter.data.files.renamed_columns import renamed_file
    from tiltmeter.train.classifier import place_of_seed, train

    columns = {field: name for field, name in (("text", text), ("label", label)) if name}
    columns |= {f"group_{name.removeprefix('group_')}": name for name in groups or ()}
    naming = "--text" if text else "--label" if label else "--groups"
    with training.Training("texts") as progress, renamed_file(config.data, columns, naming=naming):
        said = train(config, progress, lambda line: err.print(line, soft_wrap=True, markup=False))
    folders = [place_of_seed(config.folder, seed) for seed in config.seeds]
    training.print_trained(said, lines, folders, as_json=as_json)


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
