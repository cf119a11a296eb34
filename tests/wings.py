"""What belongs to each wing, and the repository without one.

    python -m wings NAME FOLDER

in this folder writes a copy of the repository without a wing.

The core (core, stats, metrics, scoring, families, studies, data, models, run, analysis, report, analyses, cli,
api) stands alone. A wing is what can be taken off it: all that belongs to it is listed here and nowhere else, so
that taking it off is to delete these files and lines. `tests/whole/test_wings.py` does so.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Wing:
    """A part of the program that the rest does without."""

    name: str
    code: tuple[str, ...]
    """Its files and folders below src/tiltmeter."""
    commands: tuple[str, ...] = ()
    """What is typed after `tiltmeter`, of a group its first word."""
    tests: tuple[str, ...] = ()
    """Files and folders below tests."""
    pages: tuple[str, ...] = ()
    """Files below docs."""
    benchmarks: tuple[str, ...] = ()
    lines: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What lines begin with that name it in files of all, by file."""
    carries: tuple[str, ...] = ()
    """Wings that stand on it, and go with it."""

    def paths(self) -> Iterator[str]:
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
            tests=("survey", "cli/survey", "support/survey", "faults/hostile_pages.py", "whole/test_*survey*.py"),
            pages=("surveys.md", "leaderboard.md"),
            benchmarks=("_survey_*.py", "survey_saves.py", "people.py", "pages.py"),
            carries=("active_live",),
        ),
        Wing(
            "active",
            code=("active", "cli/active", "analyses/*active_report*", "analyses/vote_pools*",
                  "papers/sotnikova2023_active.toml"),
            commands=("active",),
            tests=("active", "cli/active", "support/active_runs.py", "analyses/*active_report*",
                   "analyses/*vote_pools*", "papers/test_sotnikova2023_active.py"),
            pages=("active.md",),
            benchmarks=("active_rounds.py",),
            carries=("active_live",),
        ),
        Wing(
            "active_live",
            code=("cli/active_live",),
            tests=("cli/active_live", "whole/test_first_person.py"),
        ),
        Wing(
            "training",
            code=("train", "mitigate", "cli/training", "active/predictors/finetuned*.py",
                  "active/label_distributions.py"),
            commands=("train", "mitigate"),
            tests=("train", "mitigate", "cli/training", "active/predictors/test_finetuned.py",
                   "models/mitigations/test_prompted.py", "models/test_mitigated.py", "models/test_next_sentence.py"),
            pages=("mitigation.md", "next-sentence.md", "inferences.md", "classifiers.md"),
        ),
        Wing(
            "papers",
            code=("papers", "cli/papers", "api/wings/replicate.py"),
            commands=("replicate",),
            tests=("papers", "cli/papers", "api/wings/test_replicate.py"),
            pages=("papers.md",),
        ),
        Wing(
            "bridges",
            code=("bridges", "cli/bridges"),
            commands=("import",),
            tests=("bridges", "cli/bridges", "support/evaluation_logs.py", "whole/test_bridges.py"),
            pages=("bridges.md",),
        ),
        Wing(
            "served",
            code=("models/served.py", "models/chat.py", "models/servers"),
            tests=("models/servers", "models/test_chat*", "models/test_served*", "whole/test_served_runs.py",
                   "whole/test_chat_runs.py"),
            pages=("served-models.md", "chat-models.md"),
        ),
    )
}  # fmt: skip


def taken(name: str) -> list[Wing]:
    """The wing, and those that stand on it."""
    wing = WINGS[name]
    return [wing, *(other for each in wing.carries for other in taken(each))]


def without(name: str, folder: Path) -> Path:
    """A copy of the repository, its ignored files left out, without a wing and those that stand on it."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    own = {path for wing in taken(name) for pattern in wing.paths() for path in ROOT.glob(pattern)}
    for path in map(Path, listed):
        here = ROOT / path
        if here.is_file() and not own & {here, *here.parents}:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(here, folder / path)
    for wing in taken(name):
        for file, beginnings in wing.lines.items():
            lines = (folder / file).read_text("utf-8").splitlines(keepends=True)
            kept = [line for line in lines if not line.strip().startswith(beginnings)]
            (folder / file).write_text("".join(kept), "utf-8")
    return folder


if __name__ == "__main__":
    without(sys.argv[1], Path(sys.argv[2]))
