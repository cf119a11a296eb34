"""Scores, predictions, outcomes and replies of other programs as inputs of `import`, read by a study."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiltmeter.cli.imports.input_kinds import Given, InputKind
from tiltmeter.core.reading.options import options_of
from tiltmeter.run.run_options import ReadingOptions, ScoringOptions

if TYPE_CHECKING:
    from tiltmeter.cli.imports.input_kinds import Imported
    from tiltmeter.core.study import Study


def is_read(path: Path, given: Given) -> bool:
    """Whether a study is named, or recognises the file."""
    return bool(given.study) or bool(readers_of(path, given))


def readers_of(path: Path, given: Given) -> "list[Study[Any]]":
    """The studies that recognise a file of scores or replies; of an ensemble its first one."""
    from tiltmeter.core.errors import BadInput
    from tiltmeter.data.files.renamed_columns import renamed_file
    from tiltmeter.run.measuring.ensemble import parse
    from tiltmeter.run.planning.item_loading import all_studies

    try:
        ensemble = parse(str(path))
        file = Path(ensemble.references[0]) if ensemble else path
        if not file.exists():
            return []
        with renamed_file(file, given.options.columns):
            return [
                study for study in all_studies()
                if study.reads_stored is not None
                and study.reads_stored(file, given.options.encoding)
            ]  # fmt: skip
    except BadInput:
        return []


def known_readers() -> str:
    """Which studies read scores, and which replies, as a sentence without its full stop."""
    from tiltmeter.run.planning.item_loading import all_studies

    of_scores = ", ".join(study.name for study in all_studies() if study.stored)
    of_replies = ", ".join(study.name for study in all_studies() if study.stored_replies)
    return f"Scores and predictions are read by {of_scores}; replies and outcomes by {of_replies}"


def results(given: Given) -> "Imported":
    """The result of each file.

    Raises:
        BadInput: Several studies recognise a file and none is named; or a file cannot be used.
        CannotAnswer: The study reads no scores and no replies.
    """
    from tiltmeter.cli.terminal_monitor import monitor
    from tiltmeter.core.errors import BadInput
    from tiltmeter.derived.audits.threshold_checks import check_compared
    from tiltmeter.run.measuring.imported_scores import import_scores
    from tiltmeter.run.measuring.measure import all_measures

    made = []
    studies = [_study(path, given) for path in given.inputs]
    names = [study.name for study in studies]
    for study in {study.name: study for study in studies}.values():
        check_compared(given.limits, study, all_measures(study), models=names.count(study.name))
    if given.names and len(given.names) != len(given.inputs):
        reason = f"files: {len(given.inputs)}, names: {len(given.names)}"
        raise BadInput(reason, "give one --name a file")
    called = given.names or [""] * len(given.inputs)
    for study, path, name in zip(studies, given.inputs, called, strict=True):
        result = import_scores(
            study, path, given.options, monitor,
            name=name, command=given.command, lower_is_better=given.lower_is_better,
        )  # fmt: skip
        made.append((study, result))
    return made


def _study(path: Path, given: Given) -> "Study[Any]":
    from tiltmeter.core.errors import BadInput
    from tiltmeter.run.planning.run_plan import study_named
    from tiltmeter.run.planning.study_files import refuse_allowance

    if given.study:
        return study_named(given.study, allow_code=given.allow_code)
    refuse_allowance(allow_code=given.allow_code)
    readers = readers_of(path, given)
    if len(readers) > 1:
        *rest, last = (study.name for study in readers)
        reason = f"{', '.join(rest)} and {last} can read this file"
        raise BadInput(reason, "say which is meant with --study", file=str(path))
    return readers[0]


INPUTS = InputKind(
    noun="scores and replies",
    files="tables of scores or predictions, prediction files of StereoSet, stored replies and outcomes",
    options=frozenset({
        *options_of(ScoringOptions), *options_of(ReadingOptions),
        "split", "split-seed", "seed", "thinking-tags", "study", "name", "lower-is-better",
    }),
    holds=is_read,
    results=results,
)  # fmt: skip
