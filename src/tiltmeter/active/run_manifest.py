"""What a folder of runs was made with: runs of other items or settings are not mixed with it."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Self, TypeAlias

from tiltmeter.active.json_lines import replace_text, writing_runs
from tiltmeter.core.errors import BadInput
from tiltmeter.core.json_text import parsed
from tiltmeter.core.typed_values import made

MANIFEST: Final = "manifest.json"
RUNS: Final = "runs"
"""The folder inside it that holds the files of each strategy."""
_NAME = re.compile(r"\w{1,100}", re.ASCII)
SettingValue: TypeAlias = str | int | float | bool | None


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
            manifest = made(cls, parsed((folder / MANIFEST).read_text("utf-8")))
            strange = [name for name in manifest.strategies if not _NAME.fullmatch(name)]
            if strange:
                raise ValueError(f"{strange[0][:40]!r} is not a strategy")  # noqa: TRY301
            return manifest  # noqa: TRY300
        except FileNotFoundError:
            reason = f"has no {MANIFEST}, so it holds no active-learning runs"
            raise BadInput(
                reason, "name a folder that `tiltmeter active` has written", file=str(folder)
            ) from None
        except ValueError as error:
            raise BadInput(
                f"{MANIFEST} is damaged ({error})", "run it again", file=str(folder)
            ) from None

    def write(self, folder: Path) -> None:
        """Write it, or add to the strategies and seeds of the one that is there.

        Raises:
            BadInput: The folder holds runs of another pool or with other settings.
            StorageError: It cannot be written.
        """
        merged = self
        if (folder / MANIFEST).exists():
            merged = self._merged(type(self).read(folder), folder)
        with writing_runs(folder):
            (folder / RUNS).mkdir(parents=True, exist_ok=True)
            replace_text(
                folder / MANIFEST, json.dumps(asdict(merged), indent=1, ensure_ascii=False)
            )

    def _merged(self, there: Self, folder: Path) -> Self:
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
