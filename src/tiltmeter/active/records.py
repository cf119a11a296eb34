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
import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Self, TypeAlias

import numpy as np

from tiltmeter.active.entropy_predictor import EntropyBudget
from tiltmeter.core.errors import BadInput, StorageError
from tiltmeter.core.types import Array, Integers

MANIFEST: Final = "manifest.json"
RUNS: Final = "runs"
BUDGETS: Final = "entropy_budgets.jsonl"
SettingValue: TypeAlias = str | int | float | bool | None


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
    """Whether the item had a vote in an earlier round."""


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
        """The manifest of a folder.

        Raises:
            BadInput: The folder has none, or it is damaged.
        """
        try:
            said: dict[str, Any] = json.loads((folder / MANIFEST).read_text("utf-8"))
            lists = {
                k: tuple(said.pop(k)) for k in ("labels", "grid", "strategies", "seeds", "notes")
            }
            return cls(**(said | lists))
        except FileNotFoundError:
            reason = f"has no {MANIFEST}, so it holds no active-learning runs"
            raise BadInput(
                reason, "name a folder that `tiltmeter active` has written", file=str(folder)
            ) from None
        except (ValueError, TypeError, KeyError, AttributeError):
            raise BadInput(f"{MANIFEST} is damaged", "run it again", file=str(folder)) from None

    def write(self, folder: Path) -> None:
        """Write it, or add to the strategies and seeds of the one that is there.

        Raises:
            BadInput: The folder holds runs of another pool or with other settings.
            StorageError: It cannot be written.
        """
        merged = self
        if (folder / MANIFEST).exists():
            merged = self._merged(type(self).read(folder), folder)
        with _writing(folder):
            (folder / RUNS).mkdir(parents=True, exist_ok=True)
            _replace(folder / MANIFEST, json.dumps(asdict(merged), indent=1, ensure_ascii=False))

    def _merged(self, there: Self, folder: Path) -> Self:
        differing = [
            name
            for name in ("pool", "labels", "settings", "grid")
            if getattr(self, name) != getattr(there, name)
        ]
        if differing:
            named = _first_difference(self, there, differing[0])
            reason = f"holds runs with another {named}"
            raise BadInput(reason, "use the same settings, or another folder", file=str(folder))
        known = asdict(self) | {
            "labels": self.labels, "grid": self.grid, "notes": self.notes,
            "strategies": tuple(dict.fromkeys((*there.strategies, *self.strategies))),
            "seeds": tuple(sorted({*there.seeds, *self.seeds})),
        }  # fmt: skip
        return type(self)(**known)


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
        with _writing(self.folder):
            self.path("queries").parent.mkdir(parents=True, exist_ok=True)
            _part(self.path("queries")).write_text("", "utf-8")
        self.points.clear()

    def add(self, queries: Iterable[VoteQuery]) -> None:
        """Append queries, each on its line, before the next ones are chosen."""
        with _writing(self.folder), _part(self.path("queries")).open("a", encoding="utf-8") as file:
            file.writelines(_line(asdict(query)) for query in queries)

    def measured(self, point: MeasuredPoint) -> None:
        """Keep a measured point."""
        self.points.append(point)

    def finish(self, losses: Iterable[ItemLoss]) -> None:
        """Write points and losses, and seal the run."""
        with _writing(self.folder):
            _replace(self.path("items"), "".join(_line(asdict(loss)) for loss in losses))
            _part(self.path("queries")).replace(self.path("queries"))
            _replace(self.path("points"), "".join(_line(asdict(point)) for point in self.points))


@dataclass(frozen=True, slots=True)
class LearningCurves:
    """Measures of all finished runs on the common grid."""

    strategies: tuple[str, ...]
    seeds: tuple[int, ...]
    """Seeds with which every strategy is finished."""
    votes: Integers
    """The grid, shape (points,)."""
    values: Mapping[str, Mapping[str, Array]]
    """By measure, then strategy: shape (seeds, points), NaN where undefined."""


def load_curves(folder: Path, strategies: Sequence[str] = ()) -> LearningCurves:
    """Read the finished runs of a folder, and keep the seeds that all strategies share.

    Args:
        folder: A folder that a simulation or live round has written.
        strategies: Which ones; by default all that have a finished run.

    Raises:
        BadInput: The folder is no such folder, or no seed is finished with every strategy.
    """
    manifest = RunManifest.read(folder)
    there = {name: finished_seeds(folder, name) for name in strategies or manifest.strategies}
    done = {name: seeds for name, seeds in there.items() if seeds or strategies}
    seeds = sorted(set.intersection(*done.values())) if done else []
    if not seeds:
        reason = "no seed is finished with every strategy"
        raise BadInput(reason, "run the same command again to continue", file=str(folder))
    values: dict[str, dict[str, Array]] = {}
    for name in done:
        for row, seed in enumerate(seeds):
            for column, point in enumerate(load_points(folder, name, seed)):
                for measure, value in point.measures.items():
                    table = values.setdefault(measure, {}).setdefault(
                        name, np.full((len(seeds), len(manifest.grid)), np.nan)
                    )
                    table[row, column] = np.nan if value is None else value
    return LearningCurves(tuple(done), tuple(seeds), np.array(manifest.grid), values)


def finished_seeds(folder: Path, strategy: str) -> set[int]:
    """Seeds of the complete runs of a strategy."""
    files = (folder / RUNS / strategy).glob("*.points.jsonl")
    return {int(file.name.split(".")[0]) for file in files}


def load_points(folder: Path, strategy: str, seed: int) -> list[MeasuredPoint]:
    """The measured points of a finished run, in order."""
    return [
        MeasuredPoint(**said) for said in _lines(RunFiles(folder, strategy, seed).path("points"))
    ]


def load_queries(folder: Path, strategy: str, seed: int) -> list[VoteQuery]:
    """The votes that a run has bought, in order; of an unfinished run those so far."""
    path = RunFiles(folder, strategy, seed).path("queries")
    return [VoteQuery(**said) for said in _lines(path if path.exists() else _part(path))]


def load_item_losses(folder: Path, strategy: str, seed: int) -> list[ItemLoss]:
    """The mean loss of each test item of a finished run, in order of the items' names."""
    return [ItemLoss(**said) for said in _lines(RunFiles(folder, strategy, seed).path("items"))]


def write_entropy_budgets(folder: Path, budgets: Iterable[EntropyBudget]) -> None:
    """Write how well f_ent predicts with budgets of several sizes; replaces what was there."""
    with _writing(folder):
        _replace(folder / BUDGETS, "".join(_line(asdict(budget)) for budget in budgets))


def load_entropy_budgets(folder: Path) -> list[EntropyBudget]:
    """What `write_entropy_budgets` wrote."""
    return [EntropyBudget(**said) for said in _lines(folder / BUDGETS)]


def finite(value: float) -> float | None:
    """The number if it is finite, else None.

    >>> finite(0.5), finite(float("nan"))
    (0.5, None)
    """
    return float(value) if math.isfinite(value) else None


def _first_difference(ours: RunManifest, theirs: RunManifest, name: str) -> str:
    mine, other = getattr(ours, name), getattr(theirs, name)
    if not isinstance(mine, Mapping):
        return f"{name}"
    key = next(k for k in {**mine, **other} if mine.get(k) != other.get(k))
    return f"{key.replace('_', ' ')} ({other.get(key)}, not {mine.get(key)})"


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        raise BadInput("there is no such run", "run it first", file=str(path)) from None
    for number, line in enumerate(text.rstrip("\n").split("\n") if text else (), 1):
        try:
            yield json.loads(line)
        except ValueError:
            reason = "the line is damaged"
            raise BadInput(
                reason, "delete the file and run it again", file=str(path), line=number
            ) from None


def _line(content: Mapping[str, object]) -> str:
    return json.dumps(content, ensure_ascii=False, allow_nan=False) + "\n"


def _part(path: Path) -> Path:
    return path.with_name(f"{path.name}.part")


def _replace(path: Path, text: str) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with temporary.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """Turn a failure of the disk into an error that names the folder."""
    try:
        yield
    except OSError as error:
        reason = f"{folder}: the runs cannot be written ({error.strerror})"
        raise StorageError(f"{reason}; free some space or name another folder") from error
