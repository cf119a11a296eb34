"""Run the benchmarks: `python -m benchmarks [--peers] [--only NAME] [--quick] [--keep]`."""

import argparse
import sys
import traceback
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks._frame import (
    Row,
    Settings,
    Value,
    known,
    load,
    run,
    task,
    title,
    use_clock,
    with_peers,
)
from benchmarks._machine import commit, machine, versions
from benchmarks.results.run_file import FOLDER, MeasuredRow, RunFile, read_run, write_run


def main(given: list[str] | None = None) -> int:
    """Measure, show a table for each benchmark, and write everything down where asked."""
    options = _parser().parse_args(given)
    settings = Settings(
        options.quick, options.tiny, options.pairs, options.masked, options.causal or None
    )
    use_clock("processor" if options.processor_time else "wall")
    console, progress = _console(), Console(stderr=True, soft_wrap=True)
    whole = _begun(settings)
    about = {**whole.machine, "commit": whole.commit}
    console.print(
        " · ".join(f"{key} {value}" for key, value in about.items() if value), soft_wrap=True
    )
    failed = False
    for name in options.only or (with_peers() if options.peers else known()):
        rows: list[Row] = []
        try:
            for row in run(name, settings):
                progress.print(f"{name}: {_line(row)}", style="dim", highlight=False, markup=False)
                rows.append(row)
        except Exception:  # noqa: BLE001 (one that breaks must not stop the others)
            failed = True
            progress.print(f"{name} broke:\n{traceback.format_exc()}", markup=False)
        _show(console, f"{name}: {title(load(name))}", rows)
        measured = [MeasuredRow(name, task(name), row) for row in rows]
        whole = whole.with_rows(name, measured)
        if options.json:
            write_run(whole, options.json)
        if options.keep:
            write_run(_kept(whole).with_rows(name, measured), FOLDER / whole.name)
    return int(failed)


def _begun(settings: Settings) -> RunFile:
    """A run without rows yet."""
    size = "tiny" if settings.tiny else "quick" if settings.quick else "full"
    if settings.pairs is not None:
        size += f", {settings.pairs} pairs"
    date = f"{datetime.now(UTC):%Y-%m-%d %H:%M}"
    return RunFile(date, commit(), size, machine(), versions())


def _kept(run: RunFile) -> RunFile:
    """The run that is to be kept: today's of this commit, if there is one, with its other rows."""
    path = FOLDER / run.name
    if not path.is_file():
        return run
    before = read_run(path)
    sizes = dict.fromkeys((*before.size.split("; "), run.size))
    return replace(run, date=before.date, size="; ".join(sizes), rows=before.rows)


def _line(row: Row) -> str:
    """What is worth seeing while the rest is measured."""
    first = [f"{_said(value)} {name}" for name, value in list(row.values.items())[:1]]
    measured = [f"{_said(row.seconds)} s"] if row.seconds is not None else first
    return f"{row.case}: {row.way}: {row.skipped or ' '.join(measured)}"


def _console() -> Console:
    """As wide as the terminal; in a file wide enough for the tables."""
    return Console(width=None if sys.stdout.isatty() else 150)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--only", action="append", choices=known(), help="this one; may be repeated")
    which.add_argument("--peers", action="store_true", help="those that compare other programs")
    parser.add_argument("--quick", action="store_true", help="small sizes: a look in a few minutes")
    parser.add_argument("--tiny", action="store_true", help="the smallest sizes, as in the tests")
    parser.add_argument("--pairs", type=_count, help="how many pairs (default: all of them)")
    parser.add_argument("--masked", help="a trained masked model: a folder or hub id")
    parser.add_argument("--causal", default="demo", help="a trained causal model; '' leaves it out")
    parser.add_argument(
        "--processor-time",
        action="store_true",
        help="seconds of processor time, on a machine with other work; set OMP_NUM_THREADS=1",
    )
    parser.add_argument("--json", type=Path, help="also write all rows to this file")
    parser.add_argument(
        "--keep", action="store_true", help="also write or complete today's file of results"
    )
    return parser


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("it has to be 1 or more")
    return number


def _show(console: Console, heading: str, rows: list[Row]) -> None:
    for case in dict.fromkeys(row.case for row in rows):
        table = Table(title=f"{heading}\n{case}", title_justify="left", title_style="bold")
        these = [row for row in rows if row.case == case]
        columns = list(dict.fromkeys(key for row in these for key in row.values))
        timed = any(row.seconds is not None for row in these)
        table.add_column("way", overflow="fold")
        for column in (*(["seconds"] if timed else []), *columns):
            table.add_column(column, justify="right")
        for row in these:
            cells = [_said(row.values.get(column)) for column in columns]
            first = [_said(row.seconds)] if timed else []
            way = f"{row.way} (skipped)" if row.skipped else row.way
            table.add_row(way, *first, *cells)
        console.print(table)
        for row in these:
            if said := row.skipped or row.note:
                console.print(f"  {row.way}: {said}", style="dim", highlight=False, markup=False)


def _said(value: Value) -> str:
    """Three digits that count.

    >>> _said(0.012345), _said(1234.5), _said(None), _said(True and "1,508 of 1,508")
    ('0.0123', '1,234', '', '1,508 of 1,508')
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, int) or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


if __name__ == "__main__":
    sys.exit(main())
