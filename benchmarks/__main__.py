"""Run the benchmarks: `python -m benchmarks [--only NAME] [--quick] [--pairs N] [--json FILE]`."""

import argparse
import json
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks._frame import Row, Settings, Value, as_json, known, load, machine, run, title


def main(given: list[str] | None = None) -> int:
    """Measure, show a table for each benchmark, and write everything down where asked."""
    options = _parser().parse_args(given)
    settings = Settings(
        options.quick, options.tiny, options.pairs, options.masked, options.causal or None
    )
    console, progress = _console(), Console(stderr=True, soft_wrap=True)
    about = machine()
    console.print(
        " · ".join(f"{key} {value}" for key, value in about.items() if value), soft_wrap=True
    )
    written: list[dict[str, object]] = []
    failed = False
    for name in options.only or known():
        rows: list[Row] = []
        try:
            for row in run(name, settings):
                progress.print(f"{name}: {_line(row)}", style="dim", highlight=False, markup=False)
                rows.append(row)
        except Exception:  # noqa: BLE001 (one that breaks must not stop the others)
            failed = True
            progress.print(f"{name} broke:\n{traceback.format_exc()}", markup=False)
        _show(console, f"{name}: {title(load(name))}", rows)
        written += [as_json(name, row) for row in rows]
        if options.json:
            whole = {"date": f"{datetime.now(UTC):%Y-%m-%d}", "machine": about, "rows": written}
            options.json.write_text(json.dumps(whole, indent=1) + "\n", "utf-8")
    return int(failed)


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
    parser.add_argument(
        "--only", action="append", choices=known(), help="this one; may be repeated"
    )
    parser.add_argument("--quick", action="store_true", help="small sizes: a look in a few minutes")
    parser.add_argument("--tiny", action="store_true", help="the smallest sizes, as in the tests")
    parser.add_argument("--pairs", type=_count, help="how many pairs (default: all of them)")
    parser.add_argument("--masked", help="a trained masked model: a folder or hub id")
    parser.add_argument("--causal", default="demo", help="a trained causal model; '' leaves it out")
    parser.add_argument("--json", type=Path, help="also write all rows to this file")
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
