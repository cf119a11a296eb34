"""Loads the items that a run measures on, from a registered set, a file, the hub or memory."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.core.finder import find, known
from tiltmeter.core.study import Study
from tiltmeter.data.files.missing_words import missing_words
from tiltmeter.data.files.renamed_columns import renamed_file, with_columns
from tiltmeter.data.hub import hub_files
from tiltmeter.data.memory.samples import sampled, split
from tiltmeter.data.people.item_verdicts import read_verdicts
from tiltmeter.run.monitor import Monitor
from tiltmeter.run.planning.choosing import settings_of
from tiltmeter.run.planning.item_controls import chosen_placebo, with_placebo
from tiltmeter.run.planning.item_wordings import chosen_wordings, crossed, worded
from tiltmeter.run.planning.study_checks import not_a_dataset, repeated_ids
from tiltmeter.run.run_options import RunOptions


def load_items(study: Study[Any], options: RunOptions, monitor: Monitor) -> Dataset[Any]:
    """The items to measure on; the monitor receives warnings and the rows that were left out.

    Raises:
        BadInput: The file cannot be read, or has another layout than the study reads.
        BadItems: Some items cannot be used, and `skip_invalid` is not set.
    """
    if options.placebo is not None:
        chosen_placebo(study, options)  # for its errors, before data are downloaded
    if options.wordings is None:
        items = _sampled_items(study, options, monitor)
    else:
        # The same seed draws the same items in every wording.
        items = crossed({
            wording: _sampled_items(study, worded(options, wording), monitor)
            for wording in chosen_wordings(study, options)
        })  # fmt: skip
    if items.warning:
        monitor.warning(items.warning, about=items.name)
    monitor.left_out(items.invalid)
    return items


def _sampled_items(study: Study[Any], options: RunOptions, monitor: Monitor) -> Dataset[Any]:
    items = _items(study, options, monitor)
    if options.valid is not None:
        verdicts = read_verdicts(Path(options.valid), encoding=options.encoding)
        items = verdicts.of(items)
    if options.split is not None:
        items = split(items, options.split, seed=options.split_seed)
    items = sampled(items, options.limit, seed=options.seed)
    return items if options.placebo is None else with_placebo(study, items, options)


def settings_keyword(study: Study[Any], options: RunOptions) -> dict[str, Mapping[str, str]]:
    """The keyword argument `settings` for the study's functions that load data; {} if it has no settings.

    Only the functions of studies with settings take the argument.
    """
    if not study.settings:
        return {}
    return {"settings": settings_of(study, options.settings, options.convention)}


def _items(study: Study[Any], options: RunOptions, monitor: Monitor) -> Dataset[Any]:
    if isinstance(options.data, Dataset):
        return options.data
    with monitor.download(str(options.data)) as progress:
        source = hub_files.local(options.data, progress)
    try:
        with renamed_file(source, options.columns), missing_words(options.missing):
            items = study.load(
                source,
                skip_invalid=options.skip_invalid,
                encoding=options.encoding,
                **settings_keyword(study, options),
            )
    except BadInput as error:
        raise _of_another_study(study, source, options, error) or error from None
    fault = not_a_dataset(items, "load")
    if problems := [fault] if fault else repeated_ids(items):
        raise BadItems(problems)
    return hub_files.credited(with_columns(items, options.columns), source)


def _of_another_study(
    study: Study[Any], source: str | Path | None, options: RunOptions, error: BadInput
) -> BadInput | None:
    """The error for a file in the layout of other studies; None if no other study recognises it."""
    if source is None or not (path := Path(source)).exists():
        return None
    others = readers_of(path, options.encoding)
    if not others or study in others:
        return None
    *rest, last = (other.name for other in others)
    names = f"{', '.join(rest)} and {last}" if rest else last
    return BadInput(
        f"{study.name} cannot read this file ({error.problem.reason}); it has the layout of {names}",
        f"run {'one of these studies' if rest else last}, or see docs/studies for the files that "
        f"{study.name} reads",
        file=path.name,
    )


def all_studies() -> list[Study[Any]]:
    """All studies, sorted by name."""
    return [find("studies", name, "STUDY") for name in sorted(known("studies"))]


def readers_of(
    path: Path, encoding: str = "", studies: Sequence[Study[Any]] | None = None
) -> list[Study[Any]]:
    """The studies that recognise the file or folder by its layout, out of `studies` or by default of all.

    Raises:
        BadInput: The file cannot be read.
    """
    if not path.exists():
        return []
    asked = all_studies() if studies is None else studies
    return [study for study in asked if study.reads is not None and study.reads(path, encoding)]
