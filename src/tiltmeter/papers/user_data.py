"""Files of the user's that stand in place of the data sets of a paper."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tiltmeter.core.analysis import Analysis
from tiltmeter.core.errors import BadInput, known_names
from tiltmeter.core.finder import find
from tiltmeter.data.downloads.registry import given_files, known_sets
from tiltmeter.papers.paper_file import Paper
from tiltmeter.run.planning.run_plan import study_named


def data_sets(paper: Paper) -> list[str]:
    """The registered data sets that runs and analyses of a paper read, in order."""
    used: dict[str, None] = {}
    for run in paper.runs:
        study = study_named(run.study)
        own = [output.options["data"] for output in run.stored if "data" in output.options]
        named = [run.options["data"]] if "data" in run.options else [*study.data[:1]]
        used |= dict.fromkeys(str(name) for name in (*named, *own))
    for source in paper.analyses:
        analysis: Analysis = find("analyses", source.analysis, "ANALYSIS")
        for name in source.inputs:
            used |= dict.fromkeys(analysis.sets_of(name) or [name])
    return [name for name in used if name in known_sets()]


def named_files(given: Sequence[str]) -> dict[str, Path]:
    """What the user gives as NAME=PATH, by name.

    Raises:
        BadInput: One has no path, or a name is given twice.
    """
    files: dict[str, Path] = {}
    for text in given:
        name, sign, path = text.partition("=")
        if not (sign and path):
            raise BadInput(f"--data {text} names no file", "write --data NAME=PATH")
        if name in files:
            raise BadInput(f"--data gives {name} twice", "give it once")
        files[name] = Path(path).expanduser()
    return files


@contextmanager
def files_in_place(paper: Paper, files: Mapping[str, Path]) -> Iterator[None]:
    """Within the block, files of the user's, or folders with all, stand in place of data sets of the paper.

    Raises:
        UnknownName: The paper uses no such data set.
        BadInput: A file is not there.
    """
    if files:
        known_names(f"data set of {paper.name}", [*files], data_sets(paper))
    with given_files(files):
        yield
