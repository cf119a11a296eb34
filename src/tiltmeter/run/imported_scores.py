"""Scores that were made elsewhere, as if a rule had made them here."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.items import Dataset
from tiltmeter.core.protocols import Named
from tiltmeter.core.results import Record, Result
from tiltmeter.core.study import Rule, Study
from tiltmeter.data.fetch import sha256
from tiltmeter.data.splits import split
from tiltmeter.run.choosing import Chosen, choose, every_need
from tiltmeter.run.item_loading import load_items
from tiltmeter.run.jobs import stamped
from tiltmeter.run.measure import of_rule, summarise
from tiltmeter.run.monitor import Monitor
from tiltmeter.run.run_plan import RunOptions


def _never(*_: object) -> list[Record]:
    raise AssertionError("stored scores are not made here")


STORED: Rule[Any] = Rule(
    "stored",
    Named,
    _never,
    "Scores as given in the file; how they were computed is unknown.",
    "the file itself",
)


def import_scores(
    study: Study[Any], file: Path, options: RunOptions, monitor: Monitor, *, name: str, command: str
) -> Result:
    """The result that a file of scores makes.

    Args:
        study: Which one the scores are for.
        file: As the study reads it.
        options: `rule` says by which rule the scores were made; `data` what they are matched to.
        monitor: Is told about the data.
        name: What the model is called.
        command: How to repeat it.

    Raises:
        CannotAnswer: The study cannot read scores.
        BadInput, BadItems: The file cannot be used, or the options do not go together.
    """
    begun = time.monotonic()
    chosen = _chosen(study, file, options)
    items, records = _read(study, file, options, monitor)
    if options.split is not None:
        items = split(items, options.split, seed=options.split_seed)
    if options.rule is not None:
        items = of_rule(items, chosen.rule)
    if options.split is not None or options.rule is not None:
        wanted = {item.id for item in items.items}
        records = [record for record in records if record.item in wanted]
    result = summarise(
        study,
        records,
        items,
        chosen=chosen if options.rule else replace(chosen, rule=STORED),
        seed=options.seed,
        model={
            "name": name, "fingerprint": sha256(file), "kind": "stored scores", "file": file.name,
        },
        invalid=items.invalid,
    )  # fmt: skip
    return stamped(result, begun, command)


def _chosen(study: Study[Any], file: Path, options: RunOptions) -> Chosen[Any]:
    """By the rule that was stated; no model is asked, so that any of them will do.

    Raises:
        UnknownName, BadInput: There is no such rule or convention, or they do not go together.
    """
    if options.convention not in {None, "paper"} and options.rule is None:
        raise BadInput(
            f"the convention {options.convention!r} depends on how the scores were computed",
            "name the rule with --rule",
        )
    return choose(
        study,
        every_need(study),
        model=str(file),
        rule=options.rule,
        convention=options.convention,
        ties=options.ties,
    )


def _read(
    study: Study[Any], file: Path, options: RunOptions, monitor: Monitor
) -> tuple[Dataset[Any], list[Record]]:
    read: Callable[..., tuple[Dataset[Any], list[Record]]] | None = study.stored
    if read is None:
        raise CannotAnswer(f"the study {study.name} cannot read scores computed elsewhere")
    source = None
    if options.data is not None:
        source = load_items(study, replace(options, split=None), monitor)
    return read(file, source, skip_invalid=options.skip_invalid, encoding=options.encoding)
