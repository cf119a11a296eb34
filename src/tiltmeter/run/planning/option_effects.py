"""Refuses options that would have no effect on a study, rather than ignore them."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput
from tiltmeter.core.measures import EVERY
from tiltmeter.core.reading.file_names import is_file
from tiltmeter.core.study import Study
from tiltmeter.data.downloads.registry import known_sets
from tiltmeter.run.run_options import RunOptions


def check_effect(study: Study[Any], options: RunOptions, *, files: Collection[Path] = ()) -> None:
    """Check that each option given has an effect on this study.

    Args:
        study: The study to be run.
        options: The options given.
        files: Files that are read with these options in addition to `data`.

    Raises:
        BadInput: An option has no effect; the message says what it would need.
    """
    if options.ties is not None and not any(m.uses_ties for m in study.measures):
        raise BadInput(
            f"--ties has no effect: no number of {study.name} counts ties", "leave it out"
        )
    if options.split_seed and options.split is None:
        raise BadInput("--split-seed has no effect without --split", "add --split, or leave it out")
    if options.valid is not None and not any(EVERY in m.over for m in study.measures):
        reason = f"--valid has no effect: no number of {study.name} is reported by further axes"
        raise BadInput(reason, "leave it out")
    if files or _is_file(options.data) or _names_file(options):
        return
    for name, given in (
        ("--encoding", options.encoding),
        ("--missing", options.missing is not None),
    ):
        if given:
            read = "the registered set" if options.data else f"what {study.name} is measured on"
            reason = f"{name} has no effect: {read} is no file of yours"
            raise BadInput(reason, "name your file with --data, or leave it out")


def _is_file(data: object) -> bool:
    return data is not None and not isinstance(data, Dataset) and str(data) not in known_sets()


def _names_file(options: RunOptions) -> bool:
    """Whether a setting or --placebo names a file, which is read with the same encoding."""
    values = (*options.settings.values(), options.placebo)
    return any(is_file(value) for value in values if value)
