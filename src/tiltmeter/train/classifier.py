"""Train classifiers of texts: split, clean, train with several seeds, choose on validation, test once.

Each seed gives an ordinary checkpoint, which `AutoModelForSequenceClassification` can open, with a
`classifier.json` beside it. The texts of the test part are written to `DATA-test.jsonl`, so that studies can
be run on texts that no seed has learned from.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from tiltmeter.core.data.labelled_items import LabelledText
from tiltmeter.core.types import Array
from tiltmeter.data.texts.cleaning import Cleaning, clean
from tiltmeter.data.texts.labelled_rows import read_labelled
from tiltmeter.data.texts.labelled_texts import labelled, positives
from tiltmeter.metrics import classified
from tiltmeter.models.classifier import DESCRIPTION
from tiltmeter.models.opening.checkpoint_parts import description_in
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import resolve
from tiltmeter.train.blocks import Order
from tiltmeter.train.classifier_net import ClassifierNet, TextLearner
from tiltmeter.train.label_scores import PERCENT, label_scores, word_probabilities
from tiltmeter.train.processes import in_processes
from tiltmeter.train.steps import Standing, TrainingProgress
from tiltmeter.train.team import current_team
from tiltmeter.train.text_split import PARTS, TextSplit, split_texts
from tiltmeter.train.training_config import ClassifierConfig, chosen_settings
from tiltmeter.train.training_run import TrainingRun, own_random_numbers

TEST = "{}-test.jsonl"
"""Name of the file with the texts of the test part, with the name of the data in place of the braces.

Tables and cards give it as the data of a run.
"""
SUMMARY = "training.json"
"""Name of the file with the summary that `train` returns."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """The texts of a training after cleaning, divided into training, validation and test."""

    items: tuple[LabelledText, ...]
    """The texts with labels and groups, before cleaning. Texts that cleaning leaves empty are missing."""
    cleaned: tuple[str, ...]
    """Each text after cleaning, as the classifier reads it."""
    options: tuple[str, ...]
    """The labels, in the order of the classifier's outputs."""
    positive: str
    """The label that is positive; "" for none."""
    split: TextSplit
    cleaning: Cleaning
    source: Mapping[str, Any]
    """What the description says of the data: name, digest, and counts of texts and labels."""

    def part(self, name: str) -> tuple[list[str], np.ndarray[Any, np.dtype[np.int64]]]:
        """The cleaned texts of a part, and for each the position of its label in `options`."""
        places = self.split.parts[name]
        labels = [self.options.index(self.items[i].truth) for i in places]
        return [self.cleaned[i] for i in places], np.array(labels, dtype=np.int64)


@in_processes
@own_random_numbers()
def train(
    config: ClassifierConfig,
    progress: TrainingProgress | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """Train one checkpoint for each seed, and return the summary that is also written to `training.json`.

    A training that was stopped continues from its last checkpoint; seeds that are done are not repeated.

    Raises:
        BadInput: The data, an option or the folder cannot be used.
        CannotAnswer: The model is of a kind from which no classifier can be made.
        StorageError: Something could not be written.
        Unavailable: The model does not load, or the device has too little memory.
    """
    made = prepare(config)
    sizes = ", ".join(f"{len(made.split.parts[part]):,} {part}" for part in PARTS)
    say(f"{sizes}; labels: {', '.join(made.options)}; cleaning {made.cleaning}")
    if made.split.duplicates:
        say(
            f"texts that repeat another after cleaning, and share its part: {made.split.duplicates:,}; "
            f"with another label: {made.split.contradictory:,}"
        )
    out = config.folder
    each = [_one_seed(config, made, out, seed, progress) for seed in config.seeds]
    team = current_team()
    summary: dict[str, Any] = {}
    if team.leads:
        _write_test(out / TEST.format(Path(made.source["name"]).stem), made)
        summary = _summary(made, each)
        text = json.dumps(summary, indent=2, ensure_ascii=False) + "\n"
        (out / SUMMARY).write_text(text, "utf-8")
    team.wait()
    return summary


def prepare(config: ClassifierConfig) -> Prepared:
    """Read, clean and split the texts that a configuration names.

    Raises:
        BadInput, BadItems, UnknownName: For the reasons that `read_labelled`, `positives`, `clean` and
            `split_texts` have.
    """
    cleaning = clean(config.cleaning)
    table = read_labelled(
        config.data, "", skip_invalid=config.skip_invalid, encoding=config.encoding,
        naming="--text-column COLUMN --label-column COLUMN",
    )  # fmt: skip
    items = labelled(table, positives(table, config.positive, "--positive LABEL"))
    if config.limit is not None and config.limit < len(items):
        drawn = np.random.default_rng([config.split_seed, 6]).permutation(len(items))
        items = [items[i] for i in sorted(drawn[: config.limit].tolist())]
    cleaned = [cleaning(item.text) for item in items]
    kept = [i for i, text in enumerate(cleaned) if text]
    items, cleaned = [items[i] for i in kept], [cleaned[i] for i in kept]
    split = split_texts(
        cleaned, [item.truth for item in items], shares=config.shares, seed=config.split_seed
    )
    source = {"name": table.about.name, "sha256": table.about.sha256, "texts": len(items),
              "empty after cleaning": len(table.rows) - len(items) if config.limit is None else 0,
              "labels": {o: sum(i.truth == o for i in items) for o in items[0].options}}  # fmt: skip
    return Prepared(
        tuple(items), tuple(cleaned), items[0].options, items[0].positive, split, cleaning, source
    )


def place_of_seed(out: Path, seed: int) -> Path:
    """The folder of one seed's checkpoint. Its name is also the name of the model."""
    return out / f"{out.resolve().name}-seed-{seed}"


def _one_seed(
    config: ClassifierConfig,
    made: Prepared,
    out: Path,
    seed: int,
    progress: TrainingProgress | None,
) -> dict[str, Any]:
    folder = place_of_seed(out, seed)
    where = resolve(config.model, Options(revision=config.revision))
    net = ClassifierNet(
        config.model, where, config.opening(), made.options, config.max_tokens, seed
    )
    settings = _settings(config, made, net, seed)
    front, back = made.part("train"), made.part("validation")
    order = Order(len(front[0]), config.batch_size, seed)
    plan = config.plan(order.per_epoch)
    learner = TextLearner(net, front, back, order, config.computing(net.device, net.most))
    run = TrainingRun(folder, settings, learner, plan, seed, DESCRIPTION, "another classifier")

    def described(end: Standing) -> dict[str, Any]:
        net.settle()
        return {
            "cleaning": made.cleaning.said(),
            "max_tokens": net.most,
            "seed": seed,
            "base": net.said(),
            "data": dict(made.source),
            "parts": {part: len(made.split.parts[part]) for part in PARTS},
            "steps": end.step,
            "kept epoch": end.kept_step / order.per_epoch,
            "validation": _scored(net, made, "validation"),
            "test": _scored(net, made, "test"),
        }

    run.carry_out(progress, described, lambda: net.save(folder))
    return description_in(folder / DESCRIPTION)


def _scored(net: ClassifierNet, made: Prepared, part: str) -> dict[str, float]:
    texts, truth = made.part(part)
    return label_scores(truth, net.probabilities(texts), made.options, made.positive)


def _settings(
    config: ClassifierConfig, made: Prepared, net: ClassifierNet, seed: int
) -> dict[str, Any]:
    """All settings that the weights of one seed's classifier depend on."""
    cleaning = json.dumps(made.cleaning.said(), sort_keys=True)
    return chosen_settings(config, "seeds", "skip_invalid") | {
        "max_tokens": net.most,
        "shares": [*config.shares],
        "seed": seed,
        "cleaning": sha256(cleaning.encode()).hexdigest(),
        "options": [*made.options],
        "data": made.source["sha256"],
        "model": net.fingerprint,
    }


def _write_test(path: Path, made: Prepared) -> None:
    """Write the texts of the test part as they were before cleaning, with their labels and groups."""
    rows = [
        {"id": item.id, "text": item.text, "label": item.truth,
         **{f"group_{axis}": value for axis, value in item.groups.items()}}
        for item in (made.items[i] for i in made.split.parts["test"])
    ]  # fmt: skip
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(text, "utf-8")


def _summary(made: Prepared, each: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    # precision is not among the scores of a seed that calls no text positive
    scores: list[Mapping[str, float]] = [of_seed["test"] for of_seed in each]
    names = [name for name in max(scores, key=len) if all(name in of_seed for of_seed in scores)]
    spread = {name: _spread([of_seed[name] for of_seed in scores]) for name in names}
    never = [
        of_seed["seed"] for of_seed in each
        if made.positive and classified.positive_predictive_value.name not in of_seed["test"]
    ]  # fmt: skip
    (front, front_labels), (test, test_labels) = made.part("train"), made.part("test")
    words = word_probabilities(front, front_labels, test, len(made.options))
    baselines: dict[str, Any] = {}
    if words is not None:
        baselines["TF-IDF"] = label_scores(test_labels, words, made.options, made.positive)
    shares = np.bincount(front_labels, minlength=len(made.options)) / len(front_labels)
    constant: Array = np.tile(shares, (len(test), 1))
    frequent = label_scores(test_labels, constant, made.options, made.positive)
    baselines["most frequent label"] = frequent
    return {
        "data": dict(made.source),
        "labels": [*made.options],
        "positive": made.positive,
        "cleaning": made.cleaning.said(),
        "parts": {part: len(made.split.parts[part]) for part in PARTS},
        "duplicates": made.split.duplicates,
        "percent": [*PERCENT],
        "test": spread,
        "seeds": {str(of_seed["seed"]): of_seed["test"] for of_seed in each},
        "never positive": never,
        "kept epochs": [of_seed["kept epoch"] for of_seed in each],
        "baselines": baselines,
    }


def _spread(values: Sequence[float]) -> dict[str, float | None]:
    """Mean, standard deviation (None for a single seed), lowest and highest value."""
    some = np.array(values, dtype=np.float64)
    sd = float(some.std(ddof=1)) if len(some) > 1 else None
    mean, low, high = float(some.mean()), float(some.min()), float(some.max())
    return {"mean": mean, "sd": sd, "low": low, "high": high}
