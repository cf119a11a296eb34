"""Scores, predictions, outcomes and replies of other programs as inputs of `import`, read by a study."""

from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.options import options_of
from tiltmeter.core.study import Study
from tiltmeter.data.files.renamed_columns import renamed_file
from tiltmeter.run.imports.input_kinds import ImportedResult, ImportRequest, InputKind
from tiltmeter.run.measuring.ensemble import parse
from tiltmeter.run.measuring.imported_scores import import_scores
from tiltmeter.run.planning.item_loading import all_studies
from tiltmeter.run.planning.run_plan import study_named
from tiltmeter.run.planning.study_files import refuse_allowance
from tiltmeter.run.run_options import ReadingOptions, ScoringOptions


def is_read(path: Path, request: ImportRequest) -> bool:
    """Whether a study is named, or recognises the file."""
    return bool(request.study) or bool(readers_of(path, request))


def readers_of(path: Path, request: ImportRequest) -> list[Study[Any]]:
    """The studies that recognise a file of scores or replies; of an ensemble its first one."""
    try:
        ensemble = parse(str(path))
        file = Path(ensemble.references[0]) if ensemble else path
        if not file.exists():
            return []
        with renamed_file(file, request.options.columns):
            return [
                study for study in all_studies()
                if study.reads_stored is not None
                and study.reads_stored(file, request.options.encoding)
            ]  # fmt: skip
    except BadInput:
        return []


def known_readers() -> str:
    """Which studies read scores, and which replies, as a sentence without its full stop."""
    of_scores = ", ".join(study.name for study in all_studies() if study.stored)
    of_replies = ", ".join(study.name for study in all_studies() if study.stored_replies)
    return f"Scores and predictions are read by {of_scores}; replies and outcomes by {of_replies}"


def results(request: ImportRequest) -> list[ImportedResult]:
    """The result of each file.

    Raises:
        BadInput: Several studies recognise a file and none is named; or a file cannot be used.
        CannotAnswer: The study reads no scores and no replies.
    """
    made = []
    studies = [_study(path, request) for path in request.inputs]
    names = [study.name for study in studies]
    for study in {study.name: study for study in studies}.values():
        request.check_study(study, names.count(study.name))
    called = request.names_of([path.stem for path in request.inputs], "file")
    for study, path, name in zip(studies, request.inputs, called, strict=True):
        result = import_scores(
            study, path, request.options, request.monitor,
            name=name, command=request.command, lower_is_better=request.lower_is_better,
        )  # fmt: skip
        made.append(ImportedResult(study, result))
    return made


def _study(path: Path, request: ImportRequest) -> Study[Any]:

    if request.study:
        return study_named(request.study, allow_code=request.allow_code)
    refuse_allowance(allow_code=request.allow_code)
    readers = readers_of(path, request)
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
