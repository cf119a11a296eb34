"""What a simulation or a live round writes: every query and every measured point, as lines of JSON.

```text
FOLDER/manifest.json                     pool, settings, grid and versions
FOLDER/entropy_budgets.jsonl             f_ent with budgets of several sizes, a line per budget and seed
FOLDER/runs/STRATEGY/SEED.queries.jsonl  one line per vote bought, in order
FOLDER/runs/STRATEGY/SEED.items.jsonl    one line per test item: its loss, averaged over the grid
FOLDER/runs/STRATEGY/SEED.points.jsonl   one line per measured point; written last, so it seals the run
```

A run is one strategy with one seed. Files of a run that is under way end in `.part`. Numbers are finite or
null.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final, Self, TypeAlias

from tiltmeter.active.entropy_predictor import EntropyBudget
from tiltmeter.active.json_lines import read_lines, replace_text, text_of, unfinished, writing_runs
from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.json_text import parsed
from tiltmeter.core.reading.typed_values import made
from tiltmeter.core.types import Array

MANIFEST: Final = "manifest.json"
RUNS: Final = "runs"
"""The folder inside it that holds the files of each strategy."""
_NAME = re.compile(r"\w{1,100}", re.ASCII)
SettingValue: TypeAlias = str | int | float | bool | None
BUDGETS: Final = "entropy_budgets.jsonl"


@dataclass(frozen=True, slots=True)
class AskReason:
    """Why an item is asked; its numbers are those of `VoteQuery`."""

    reason: str
    score: float | None = None
    h: float | None = None
    f_ent: float | None = None


@dataclass(frozen=True, slots=True)
class VoteQuery:
    """One vote that was bought, and why."""

    seed: int
    strategy: str
    votes: int
    """Votes bought so far, this one included."""
    item: str
    annotator: str | None
    label: str
    reason: str
    """Why this item: "start" or the words of the strategy."""
    score: float | None = None
    """By which the strategy ranked the item; None for a random choice."""
    h: float | None = None
    """Entropy of the predicted distribution before the vote, in nats; None before the first fit."""
    f_ent: float | None = None
    """Predicted entropy of the annotators' votes, in nats; None where the strategy predicts none."""
    repeated: bool = False
    """Whether the item had a vote before, also one of the same batch."""


@dataclass(frozen=True, slots=True)
class MeasuredPoint:
    """The measures on the test items after so many votes."""

    seed: int
    strategy: str
    votes: int
    measures: Mapping[str, float | None]
    """By name, such as log_loss and js_nats; None where a measure is undefined."""


@dataclass(frozen=True, slots=True)
class ItemLoss:
    """The losses of one test item, averaged over the points of the grid."""

    seed: int
    strategy: str
    item: str
    log_loss: float
    js_nats: float


@dataclass(slots=True)
class RunFiles:
    """The files of one run. What an unfinished run left is overwritten when it runs again."""

    folder: Path
    strategy: str
    seed: int
    points: list[MeasuredPoint] = field(default_factory=list)

    def path(self, kind: str) -> Path:
        """The file of "queries", "items" or "points"."""
        return self.folder / RUNS / self.strategy / f"{self.seed}.{kind}.jsonl"

    @property
    def is_finished(self) -> bool:
        """Whether the run is complete."""
        return self.path("points").is_file()

    def start(self) -> None:
        """Begin the list of queries anew."""
        with writing_runs(self.folder):
            self.path("queries").parent.mkdir(parents=True, exist_ok=True)
            unfinished(self.path("queries")).write_text("", "utf-8")
        self.points.clear()

    def add(self, queries: Iterable[VoteQuery]) -> None:
        """Append queries, each on its line, before the next ones are chosen."""
        with (
            writing_runs(self.folder),
            unfinished(self.path("queries")).open("a", encoding="utf-8") as file,
        ):
            file.write(text_of(queries))

    def measured(self, votes: int, measures: Mapping[str, float | None]) -> None:
        """Keep what was measured after so many votes, until the run is finished."""
        self.points.append(MeasuredPoint(self.seed, self.strategy, votes, measures))

    def finish(self, items: Sequence[str], losses: Array) -> None:
        """Write points and the test items' log losses and JS divergences, (items, 2); seal the run."""
        item_losses = [
            ItemLoss(self.seed, self.strategy, item, log_loss, js_nats)
            for item, (log_loss, js_nats) in zip(items, losses.tolist(), strict=True)
        ]
        with writing_runs(self.folder):
            replace_text(self.path("items"), text_of(item_losses))
            unfinished(self.path("queries")).replace(self.path("queries"))
            replace_text(self.path("points"), text_of(self.points))


def finished_seeds(folder: Path, strategy: str) -> set[int]:
    """Seeds of the complete runs of a strategy."""
    files = (folder / RUNS / strategy).glob("*.points.jsonl")
    seeds = [file.name.split(".")[0] for file in files]
    return {int(seed) for seed in seeds if seed.isascii() and seed.isdigit()}


def load_points(folder: Path, strategy: str, seed: int) -> list[MeasuredPoint]:
    """The measured points of a finished run, in order."""
    return [*read_lines(RunFiles(folder, strategy, seed).path("points"), MeasuredPoint)]


def load_queries(folder: Path, strategy: str, seed: int) -> list[VoteQuery]:
    """The votes that a run has bought, in order; of an unfinished run those so far."""
    path = RunFiles(folder, strategy, seed).path("queries")
    return [*read_lines(path if path.exists() else unfinished(path), VoteQuery)]


def load_item_losses(folder: Path, strategy: str, seed: int) -> list[ItemLoss]:
    """The mean loss of each test item of a finished run, in order of the items' names."""
    return [*read_lines(RunFiles(folder, strategy, seed).path("items"), ItemLoss)]


def write_entropy_budgets(folder: Path, budgets: Iterable[EntropyBudget]) -> None:
    """Write how well f_ent predicts with budgets of several sizes; replaces what was there."""
    with writing_runs(folder):
        replace_text(folder / BUDGETS, text_of(budgets))


def load_entropy_budgets(folder: Path) -> list[EntropyBudget]:
    """What `write_entropy_budgets` wrote; nothing for a live round or an unfinished simulation."""
    file = folder / BUDGETS
    return [*read_lines(file, EntropyBudget)] if file.is_file() else []


# ---- The manifest


@dataclass(frozen=True, slots=True)
class RunManifest:
    """What a folder of runs was made with. Times are left out: equal runs give equal files."""

    pool: Mapping[str, SettingValue]
    """Name, sha256, number of items, votes, annotators and labels, disagreement (0 to 1)."""
    labels: tuple[str, ...]
    settings: Mapping[str, SettingValue]
    grid: tuple[int, ...]
    """Numbers of votes at which every strategy is measured."""
    versions: Mapping[str, str]
    strategies: tuple[str, ...] = ()
    seeds: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def read(cls, folder: Path) -> Self:
        """The manifest of a folder; BadInput where the folder has none, or it is damaged."""
        try:
            manifest = made(cls, parsed((folder / MANIFEST).read_text("utf-8")))
            strange = [name for name in manifest.strategies if not _NAME.fullmatch(name)]
            if strange:
                raise ValueError(f"{strange[0][:40]!r} is not a strategy")  # noqa: TRY301
            return manifest  # noqa: TRY300
        except (FileNotFoundError, NotADirectoryError):
            reason = f"has no {MANIFEST}, so it holds no active-learning runs"
            raise BadInput(
                reason, "name a folder that `tiltmeter active` has written", file=str(folder)
            ) from None
        except ValueError as error:
            raise BadInput(
                f"{MANIFEST} is damaged ({error})", "run it again", file=str(folder)
            ) from None

    def write(self, folder: Path) -> None:
        """Write it `merged`; StorageError where it cannot be written."""
        merged = self.merged(folder)
        with writing_runs(folder):
            (folder / RUNS).mkdir(parents=True, exist_ok=True)
            replace_text(
                folder / MANIFEST, json.dumps(asdict(merged), indent=1, ensure_ascii=False)
            )

    def merged(self, folder: Path) -> Self:
        """With the strategies and seeds of the one that is there; BadInput if it is of other runs."""
        if not (folder / MANIFEST).exists():
            return self
        there = type(self).read(folder)
        differing = [
            name
            for name in ("pool", "labels", "settings", "grid")
            if getattr(self, name) != getattr(there, name)
        ]
        if differing:
            difference = _first_difference(self, there, differing[0])
            reason = f"holds runs with another {difference}"
            raise BadInput(reason, "use the same settings, or another folder", file=str(folder))
        known = asdict(self) | {
            "labels": self.labels, "grid": self.grid, "notes": self.notes,
            "strategies": tuple(dict.fromkeys((*there.strategies, *self.strategies))),
            "seeds": tuple(sorted({*there.seeds, *self.seeds})),
        }  # fmt: skip
        return type(self)(**known)


def _first_difference(ours: RunManifest, theirs: RunManifest, name: str) -> str:
    mine, other = getattr(ours, name), getattr(theirs, name)
    if not isinstance(mine, Mapping):
        return f"{name}"
    key = next(k for k in {**mine, **other} if mine.get(k) != other.get(k))
    return f"{key.replace('_', ' ')} ({other.get(key)}, not {mine.get(key)})"
