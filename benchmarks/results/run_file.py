"""The file of one run of the benchmarks: what was measured, on what, and at which commit."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from benchmarks._frame import TIMES, Row, Value
from tiltmeter.core.errors import BadInput

FOLDER: Final = Path(__file__).parent
FORMAT: Final = 1
AGAIN: Final = "measure again with python -m benchmarks --keep"


@dataclass(frozen=True, slots=True)
class MeasuredRow:
    """A row, and where it comes from."""

    benchmark: str
    task: str
    """What its benchmark compares; "" where it compares no programs."""
    row: Row

    @property
    def ratio(self) -> float | None:
        """How many times as long as Tiltmeter the program takes; None if it is not compared."""
        value = self.row.values.get(TIMES)
        return float(value) if isinstance(value, int | float) else None


@dataclass(frozen=True, slots=True)
class RunFile:
    """One run on one machine at one commit."""

    date: str
    """When it began, UTC: year, month, day and time, as in 2026-11-23 07:10."""
    commit: str
    """With "+" if the code had been changed since; "" if it is not known."""
    size: str
    """How much was measured: "full", "quick", "tiny", or these with a number of pairs."""
    machine: Mapping[str, Value]
    versions: Mapping[str, str]
    rows: tuple[MeasuredRow, ...] = ()

    @property
    def name(self) -> str:
        """Of its file in the folder."""
        return f"{self.date[:10]}-{self.commit.replace('+', '-changed') or 'unknown'}.json"

    def with_rows(self, benchmark: str, rows: Sequence[MeasuredRow]) -> "RunFile":
        """With these rows in place of those that the benchmark had."""
        others = tuple(one for one in self.rows if one.benchmark != benchmark)
        return replace(self, rows=(*others, *rows))

    def compared(self) -> list[MeasuredRow]:
        """The rows of other programs that have a ratio."""
        return [one for one in self.rows if one.ratio is not None]


def write_run(run: RunFile, path: Path) -> None:
    """Write it as JSON, one line a row, so that two files can be compared."""
    head = {
        "format": FORMAT, "date": run.date, "commit": run.commit, "size": run.size,
        "machine": run.machine, "versions": run.versions,
    }  # fmt: skip
    lines = [json.dumps(_as_json(one), ensure_ascii=False, allow_nan=False) for one in run.rows]
    text = json.dumps(head, ensure_ascii=False, allow_nan=False, indent=1).removesuffix("\n}")
    whole = f'{text},\n "rows": [\n  ' + ",\n  ".join(lines) + "\n ]\n}\n"
    fresh = path.with_name(f"{path.name}.new")
    fresh.write_text(whole, "utf-8")
    fresh.replace(path)


def read_run(path: Path) -> RunFile:
    """Read it back.

    Raises:
        BadInput: It is no such file, or a number in it is not finite.
    """
    try:
        told = json.loads(path.read_text("utf-8"), parse_constant=_not_finite)
        if told["format"] != FORMAT:
            raise BadInput(f"format {told['format']}, and {FORMAT} is read", AGAIN, file=path.name)
        rows = tuple(_row(one) for one in told["rows"])
        return RunFile(
            str(told["date"]), str(told["commit"]), str(told["size"]),
            dict(told["machine"]), dict(told["versions"]), rows,
        )  # fmt: skip
    except (ValueError, KeyError, TypeError) as error:
        reason = f"it is not the file of a run ({type(error).__name__}: {error})"
        raise BadInput(reason, AGAIN, file=path.name) from error


def all_runs(folder: Path = FOLDER) -> list[RunFile]:
    """All files of a folder, the oldest first.

    Raises:
        BadInput: One cannot be read.
    """
    return sorted(map(read_run, folder.glob("*.json")), key=lambda run: (run.date, run.commit))


def newest_rows(runs: Sequence[RunFile]) -> RunFile:
    """The newest run, completed by what only earlier runs on the same processor have measured.

    Args:
        runs: At least one, the oldest first.

    Returns:
        A run with rows in the order of benchmarks, whose commit names the tasks of earlier commits.
    """
    newest = runs[-1]
    rows, commits, sizes = list(newest.rows), [newest.commit], {newest.size: None}
    for run in reversed(runs[:-1]):
        known = {one.benchmark for one in rows}
        more = [one for one in run.rows if one.benchmark not in known]
        if more and run.machine.get("processor") == newest.machine.get("processor"):
            tasks = dict.fromkeys(one.task for one in more if one.task)
            commits.append(f"{run.commit} ({', '.join(tasks)})" if tasks else run.commit)
            sizes[run.size] = None
            rows += more
    rows.sort(key=lambda one: one.benchmark)
    return replace(newest, commit="; ".join(commits), size="; ".join(sizes), rows=tuple(rows))


def _as_json(one: MeasuredRow) -> dict[str, object]:
    row = one.row
    return {
        "benchmark": one.benchmark, "task": one.task, "case": row.case, "way": row.way,
        "seconds": row.seconds, "clock": row.clock, "values": dict(row.values), "note": row.note,
        "skipped": row.skipped,
    }  # fmt: skip


def _row(told: Mapping[str, Any]) -> MeasuredRow:
    seconds = told["seconds"]
    if told["clock"] not in {"wall", "processor"}:
        raise ValueError(f"no such clock: {told['clock']}")
    row = Row(
        str(told["case"]), str(told["way"]), None if seconds is None else float(seconds),
        dict(told["values"]), str(told["note"]), str(told["skipped"]), told["clock"],
    )  # fmt: skip
    numbers = [row.seconds, *row.values.values()]
    if not all(math.isfinite(n) for n in numbers if isinstance(n, int | float)):
        raise ValueError(f"a number of {row.way!r} is not finite")
    return MeasuredRow(str(told["benchmark"]), str(told["task"]), row)


def _not_finite(constant: str) -> float:
    raise ValueError(f"{constant} is no number")
