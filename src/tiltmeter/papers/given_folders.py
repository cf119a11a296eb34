"""Folders that users give and that are no results, such as simulations: which analyses take them."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path

from tiltmeter.core.analysis import Analysis, FolderFacts
from tiltmeter.core.errors import BadInput
from tiltmeter.core.finder import find
from tiltmeter.papers.derivations import Places
from tiltmeter.papers.paper_file import AnalysisSource, Paper
from tiltmeter.papers.paper_plan import Lack, PaperPlan

DATA = "data"


@dataclass(frozen=True, slots=True)
class GivenFolder:
    """An input of an analysis that a user gives."""

    path: Path
    analysis: str
    """By name, the analysis that it is an input of."""
    facts: FolderFacts


def given_folders(paper: Paper, places: Sequence[Path]) -> tuple[list[GivenFolder], list[Path]]:
    """The folders at these places that analyses of the paper know, and the places where there are none."""
    names = dict.fromkeys(source.analysis for source in paper.analyses)
    analyses: list[Analysis] = [find("analyses", name, "ANALYSIS") for name in names]
    folders, others = [], []
    for place in places:
        inside = [
            GivenFolder(path, analysis.name, facts)
            for analysis in analyses
            for path, facts in analysis.folders(place).items()
        ]
        folders += inside
        others += [] if inside else [place]
    return folders, others


def taken(source: AnalysisSource, folders: Sequence[GivenFolder]) -> list[Path]:
    """The folders that a source takes, in order."""
    fitting = [folder for folder in folders if _fits(source, folder)]
    by_data: dict[object, list[GivenFolder]] = {}
    for folder in fitting:
        by_data.setdefault(folder.facts.get(DATA), []).append(folder)
    kept: list[GivenFolder] = []
    for alike in by_data.values():
        usual = [folder for folder in alike if source.usual and _has(folder.facts, source.usual)]
        kept += usual or alike
    if source.differ:
        families: dict[object, list[GivenFolder]] = {}
        for folder in kept:
            families.setdefault(_family(source, folder.facts), []).append(folder)
        first = source.differ[0]
        kept = [
            folder
            for folder in kept
            if len({f.facts.get(first) for f in families[_family(source, folder.facts)]}) > 1
        ]
        kept.sort(key=lambda folder: _size(folder.facts.get(first)))
    return [folder.path for folder in kept]


def why_none(source: AnalysisSource, folders: Sequence[GivenFolder]) -> str:
    """Why a source takes none of the folders that the user gives, and what makes one."""
    of_kind = [folder for folder in folders if folder.analysis == source.analysis]
    if not of_kind:
        reason = "give folders of runs with --runs"
    elif not any(_fits(source, folder) for folder in of_kind):
        wanted = ", ".join(f"{axis} {' or '.join(v)}" for axis, v in source.takes.items())
        reason = f"none of the given runs has {wanted}"
    else:
        reason = f"no two of the given runs on the same data differ in {source.differ[0]} alone"
    return f"{reason}; such runs are made with: {source.made_by}"


def _fits(source: AnalysisSource, folder: GivenFolder) -> bool:
    return folder.analysis == source.analysis and _has(folder.facts, source.takes)


def _has(facts: FolderFacts, wanted: Places) -> bool:
    """Whether one of the wanted values is there on every axis."""
    return all(_values(facts, axis) & {*values} for axis, values in wanted.items())


def _size(value: object) -> tuple[float, str]:
    """Sorts numbers by size, and other values after them by the alphabet."""
    text = str(value)
    return (float(text), "") if text.isdecimal() else (inf, text)


def _values(facts: FolderFacts, axis: str) -> set[str]:
    known = facts.get(axis, ())
    return {known} if isinstance(known, str) else {*known}


def _family(source: AnalysisSource, facts: FolderFacts) -> object:
    """The settings of a folder besides those in which its family differs."""
    return tuple(
        (axis, value)
        for axis, value in sorted(facts.items())
        if isinstance(value, str) and axis not in source.differ
    )


def plan_folders(
    plan: PaperPlan, sources: Sequence[AnalysisSource], folders: Sequence[GivenFolder]
) -> None:
    """Give each source the folders that it takes; what takes none is lacking.

    Raises:
        BadInput: No source takes any of the folders.
    """
    for source in sources:
        if source.takes_folders:
            plan.folders[source.name] = taken(source, folders)
            if not plan.folders[source.name]:
                plan.lacks.append(Lack(source.name, why_none(source, folders), source.at))
    used = {path for paths in plan.folders.values() for path in paths}
    if folders and not used:
        about = ", ".join(
            f"{axis} {value if isinstance(value, str) else ' '.join(value)}"
            for axis, value in folders[0].facts.items()
        )
        raise BadInput(
            f"nothing that is wanted of {plan.paper.name} takes these runs ({about})",
            "leave them out, or give runs that belong to its figures", file=str(folders[0].path),
        )  # fmt: skip
