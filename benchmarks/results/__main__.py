"""Print the ratios as a table in Markdown and draw them over all runs: `python -m benchmarks.results`."""

import argparse
import sys
from pathlib import Path

from benchmarks.results.ratio_plot import ratio_plot
from benchmarks.results.ratio_table import ratio_table
from benchmarks.results.run_file import FOLDER, all_runs, newest_rows, read_run
from tiltmeter.core.errors import TiltmeterError

PLOT = FOLDER.parents[1] / "docs" / "images" / "ratios.svg"


def main(given: list[str] | None = None) -> int:
    """Print the table of one run, or of the newest of each task; draw the plot of all runs."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.results", description=__doc__)
    parser.add_argument(
        "file", type=Path, nargs="?", help="of one run (default: the newest value of every task)"
    )
    parser.add_argument("--folder", type=Path, default=FOLDER, help="with the files of all runs")
    parser.add_argument("--plot", type=Path, default=PLOT, help="where the SVG goes")
    options = parser.parse_args(given)
    try:
        runs = all_runs(options.folder)
        shown = read_run(options.file) if options.file else newest_rows(runs) if runs else None
    except (TiltmeterError, OSError) as error:
        return _failed(str(error))
    if shown is None:
        return _failed(f"no run in {options.folder}: measure with python -m benchmarks --keep")
    print(ratio_table(shown), end="")
    if drawn := [run for run in runs if run.compared()]:
        options.plot.write_text(ratio_plot(drawn), "utf-8")
        print(f"wrote {options.plot}", file=sys.stderr)
    return 0


def _failed(message: str) -> int:
    print(message, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
