"""The table of a sweep: study × model, the headline with its interval, or why there is none."""

import textwrap
from collections import Counter
from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from tiltmeter.core.text import visible
from tiltmeter.report.text import span, title, with_unit
from tiltmeter.run.sweeps.sweep_cells import Cell
from tiltmeter.run.sweeps.sweep_jobs import Grid

SHOWN = 120
"""Letters of a reason that the table shows."""
LONG = 24
"""Letters of a model's path, beyond which the table leaves out its beginning."""


def sweep_table(grid: Grid) -> Table:
    """One row a cell, in the order in which they are done."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("study", "model", "rule", "n"):
        table.add_column(heading, justify="right" if heading == "n" else "left", overflow="fold")
    table.add_column("result", overflow="fold", ratio=1)
    models = short_names([cell.model for cell in grid.cells])
    failures: set[tuple[str, str]] = set()
    for cell in grid.cells:
        again = cell.state == "failed" and (cell.model, cell.why) in failures
        failures.add((cell.model, cell.why))
        table.add_row(
            Text(visible(cell.row.label)),
            Text(visible(models[cell.model])),
            Text(cell.rule),
            f"{cell.headline.n:,}" if cell.headline else "",
            Text("failed: as above" if again else _outcome(cell)),
        )
    return table


def short_names(models: Sequence[str]) -> dict[str, str]:
    """Long paths without their beginning, where the end tells them from all others."""
    ends = {model: "…/" + model.rpartition("/")[2] for model in models}
    used = Counter(ends.values())
    return {
        model: end if len(model) > LONG and used[end] == 1 and "/" in model else model
        for model, end in ends.items()
    }


def _outcome(cell: Cell) -> str:
    head = cell.headline
    if cell.state == "done" and head is None:
        return "done; no number over all items, see its page"
    if cell.state != "done" or head is None:
        return f"{cell.state}: {_shortened(visible(cell.why))}" if cell.why else cell.state
    if head.value is None:
        return f"{title(head)}: undefined ({visible(head.why)})"
    between = f", {span(head)}" if head.low is not None else ""
    return f"{title(head)} {with_unit(head.value, head.unit)}{between}"


def _shortened(why: str) -> str:
    """The reason without its preamble, cut to a line or two; `cells.json` has the whole."""
    needed = why.partition(": that needs ")[2]
    return textwrap.shorten(f"needs {needed}" if needed else why, SHOWN, placeholder=" …")
