"""What belongs to each wing, and the repository without one.

    python -m support.wings NAME FOLDER

in `tests` writes a copy of the repository without a wing.

The core (core, stats, metrics, scoring, study_families, studies, data, models, run, derived, report,
analyses, cli, api) stands alone. A wing is what can be taken off it: all that belongs to it is listed here
and nowhere else, so that taking it off is to delete these files. `tests/whole/test_wings.py` does so.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib.util import cache_from_source
from pathlib import Path

ROOT = Path(__file__).parents[2]
TESTED_BY = re.compile(r'^    "([\w/]+)": "([\w/]+)",\n', re.MULTILINE)
"""A line of the list in tests/test_mirror.py: a module, and the file that tests it."""

TYPED = re.compile(r"^\ndef (\w+)\(.*?(?=^\ndef |\Z)", re.MULTILINE | re.DOTALL)
"""A function of an analysis in what type checkers read, with the empty line before it."""


@dataclass(frozen=True)
class Wing:
    """A part of the program that the rest does without."""

    name: str
    code: tuple[str, ...]
    """Patterns of its files and folders below src/tiltmeter."""
    commands: tuple[str, ...] = ()
    """What is typed after `tiltmeter`, of a group its first word."""
    tests: tuple[str, ...] = ()
    """Patterns of its files and folders below tests."""
    pages: tuple[str, ...] = ()
    """Files below docs."""
    benchmarks: tuple[str, ...] = ()
    """Patterns of files below benchmarks."""
    lines: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Beginnings of lines that name it in files of all, by file: types, and extras for pip."""
    carries: tuple[str, ...] = ()
    """Wings that stand on it, and go with it."""

    def patterns(self) -> Iterator[str]:
        """Patterns of everything that is its own, from the root of the repository."""
        yield from (f"src/tiltmeter/{path}" for path in self.code)
        yield from (f"tests/{path}" for path in self.tests)
        yield from (f"docs/{path}" for path in self.pages)
        yield from (f"benchmarks/{path}" for path in self.benchmarks)


WINGS = {
    wing.name: wing
    for wing in (
        Wing(
            "survey",
            code=("survey", "cli/survey"),
            commands=("survey",),
            tests=(
                "survey", "cli/survey", "support/survey", "faults/hostile_pages.py",
                "faults/foreign_files_of_survey.py", "goldens/help/survey.txt", "goldens/of_form.py",
                "whole/test_*survey*.py",
            ),
            pages=("reference/commands/survey.md",
                "surveys/*.md", "how-to/leaderboard.md", "jobs/ask-people.md",
                "jobs/paid-panel.md", "jobs/files/paid-panel",
            ),
            benchmarks=("_survey_*.py", "survey_*.py", "people.py", "pages.py"),
            carries=("active_live",),
        ),
        Wing(
            "active",
            code=(
                "active", "cli/active", "analyses/*active_report*", "analyses/vote_pools*",
                "papers/sotnikova2023_active.toml",
            ),
            commands=("active",),
            tests=(
                "active", "cli/active", "support/active_runs.py", "support/vote_tables.py",
                "analyses/*active_report*",
                "analyses/*vote_pools*", "papers/test_sotnikova2023_active.py",
                "papers/test_given_folders.py",
                "faults/foreign_files_of_active.py", "goldens/analyses/active-*", "goldens/analyses/pools-*",
                "goldens/help/active.txt",
            ),
            pages=("reference/commands/active.md", "how-to/active.md",),
            benchmarks=("active_rounds.py",),
            carries=("active_live",),
        ),
        Wing(
            "active_live",
            code=("cli/active_live",),
            commands=("active live",),
            tests=("cli/active_live", "whole/test_first_person.py"),
        ),
        Wing(
            "training",
            code=(
                "train", "mitigate", "cli/training", "data/grids", "active/predictors/finetuned*.py",
                "active/entropy_predictors/finetuned.py",
                "active/encoders/encoder_net.py",
            ),
            commands=("train", "mitigate"),
            tests=(
                "train", "mitigate", "cli/training", "active/predictors/test_finetuned.py",
                "active/encoders/test_encoder_net.py", "active/encoders/test_encoder_training.py",
                "active/entropy_predictors/test_finetuned.py", "active/test_predictor.py",
                "active/test_predictor_settings.py",
                "models/applied_mitigations/test_prompted.py", "models/test_mitigated.py",
                "models/test_classifier.py", "faults/foreign_files_of_training.py",
                "goldens/help/train.txt", "goldens/help/mitigate.txt", "whole/test_papers_with_models.py",
            ),
            pages=("reference/commands/train.md", "reference/commands/mitigate.md",
                "how-to/mitigation.md", "how-to/next-sentence.md", "how-to/inferences.md",
                "how-to/classifiers.md", "how-to/sos-experiment.md",
            ),
        ),
        Wing(
            "papers",
            code=("papers", "cli/papers", "api/wings/replicate.py"),
            commands=("replicate",),
            tests=(
                "papers", "cli/papers", "api/wings/test_replicate.py", "goldens/help/replicate.txt",
                "whole/test_papers_with_models.py",
            ),
            pages=(
                "reference/commands/replicate.md", "how-to/papers.md",
                "notebooks/paper-with-your-model.ipynb",
            ),
            lines={"src/tiltmeter/__init__.py": ("from tiltmeter.api.wings.replicate import",)},
        ),
        Wing(
            "bridges",
            code=("bridges",),
            tests=(
                "bridges", "support/evaluation_logs.py", "whole/test_bridges.py",
                "faults/foreign_files_of_bridges.py", "goldens/analyses/import-*",
            ),
            pages=("how-to/bridges.md",),
        ),
        Wing(
            "served",
            code=("models/served.py", "models/chat.py", "models/openai_protocol"),
            tests=(
                "models/openai_protocol", "models/test_chat*", "models/test_served*",
                "whole/test_served_runs.py", "whole/test_chat_runs.py",
            ),
            pages=("how-to/served-models.md", "how-to/chat-models.md"),
        ),
    )
}  # fmt: skip


def taken(name: str) -> list[Wing]:
    """The wing, and those that stand on it."""
    wing = WINGS[name]
    return [wing, *(other for each in wing.carries for other in taken(each))]


def gone(name: str) -> set[Path]:
    """The files and folders that go with a wing."""
    return {
        path for wing in taken(name) for pattern in wing.patterns() for path in ROOT.glob(pattern)
    }


def without(name: str, folder: Path) -> Path:
    """A copy of the repository, its ignored files left out, without a wing and those that stand on it."""
    wings, own = taken(name), gone(name)
    for path in _files():
        if not own & {ROOT / path, *(ROOT / path).parents}:
            _copy(ROOT / path, folder / path)
    for wing in wings:
        for file, beginnings in wing.lines.items():
            lines = (folder / file).read_text("utf-8").splitlines(keepends=True)
            kept = [line for line in lines if not line.strip().startswith(beginnings)]
            (folder / file).write_text("".join(kept), "utf-8")
    stub = folder / "src" / "tiltmeter" / "api" / "analyse.pyi"
    analyses = folder / "src" / "tiltmeter" / "analyses"
    stub.write_text(
        re.sub(TYPED, partial(_if_computed, analyses), stub.read_text("utf-8")), "utf-8"
    )
    mirror = folder / "tests" / "test_mirror.py"
    mirror.write_text(
        re.sub(TESTED_BY, partial(_if_there, folder), mirror.read_text("utf-8")), "utf-8"
    )
    pages = {
        (folder / path.relative_to(ROOT)).resolve()
        for wing in wings
        for page in wing.pages
        for path in (ROOT / "docs").glob(page)
    }
    commands = {command for wing in wings for command in wing.commands}
    for page in (*folder.glob("*.md"), *folder.glob("docs/**/*.md")):
        page.write_text(_page(page, pages, commands), "utf-8")
    return folder


def _copy(file: Path, copy: Path) -> None:
    """A file with its time, so that what Python has compiled of it is good for the copy too."""
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(file, copy)
    if file.suffix == ".py":
        compiled, its_own = (Path(cache_from_source(path)) for path in (file, copy))
        if compiled.is_file():
            its_own.parent.mkdir(exist_ok=True)
            shutil.copy2(compiled, its_own)


def _if_there(folder: Path, line: re.Match[str]) -> str:
    """A line of the list of modules without a test of their own, where the module and the test are there."""
    module, test = folder / "src/tiltmeter" / line[1], folder / "tests" / line[2]
    there = [path.with_name(f"{path.name}.py").is_file() for path in (module, test)]
    return line[0] if all(there) else ""


def _if_computed(analyses: Path, function: re.Match[str]) -> str:
    """The types of an analysis's function, where the analysis is there."""
    name = function[1]
    return function[0] if any((analyses / place).exists() for place in (name, f"{name}.py")) else ""


def _files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [Path(file) for file in listed.stdout.split("\0") if file and (ROOT / file).is_file()]


def _page(page: Path, gone: Collection[Path], commands: Collection[str]) -> str:
    """A page without the sections and examples of commands that are gone; links to gone pages become text."""
    text = page.read_text("utf-8")
    words = "|".join(map(re.escape, commands)) or "(?!)"
    example = rf"^(?:\S*/)?tiltmeter ({words})(?![\w-])(?:[^\n]*\\\n)*[^\n]*\n"
    text = re.sub(example, "", text, flags=re.MULTILINE)

    def link(match: re.Match[str]) -> str:
        shown, target = match.groups()
        path = target.partition("#")[0]
        there = (page.parent / path).resolve() if path else page
        return shown if there in gone else match.group()

    text = re.sub(r"\[([^\]]*)\]\(([^)\s]+)\)", link, text)

    def entry(match: re.Match[str]) -> str:
        """A line of a table of contents, unless its page is gone."""
        of = {(page.parent / f"{match[1]}.{kind}").resolve() for kind in ("md", "ipynb")}
        return match[0] if of.isdisjoint(gone) else ""

    return re.sub(r"^([\w./-]+)\n", entry, text, flags=re.MULTILINE)


if __name__ == "__main__":
    without(sys.argv[1], Path(sys.argv[2]))
