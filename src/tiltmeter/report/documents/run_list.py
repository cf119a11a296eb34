"""The document that lists the run folders below a folder."""

from collections.abc import Sequence
from pathlib import Path

from tiltmeter.core.results import Result
from tiltmeter.report.columns import TableRows
from tiltmeter.report.document import BOTH, FILES_ONLY, Column, Document, Section, Table
from tiltmeter.report.text import span, title, value_with_unit


def run_list_document(runs: Sequence[tuple[Path, Result]], base: Path) -> Document:
    """A table with one row for each run, the latest first; folders are given relative to `base`."""
    ordered = sorted(runs, key=lambda run: str(run[1].card.run.get("finished", "")), reverse=True)
    table = [_table(ordered, base)] if ordered else []
    return Document(f"Runs in {base}", "", [], [Section("runs", "", table)])


def _table(runs: Sequence[tuple[Path, Result]], base: Path) -> Table:
    """The table of runs; it names the measure of each value if these are of several measures."""
    cards = [result.card for _, result in runs]
    folders = [f.relative_to(base) if f.is_relative_to(base) else f for f, _ in runs]
    heads = [result.headline for _, result in runs]
    on, of = BOTH if len({title(h) for h in heads if h}) > 1 else FILES_ONLY, TableRows(heads)
    columns = [
        Column("model", [c.model_name or c.subtitle for c in cards], number=False, name="model"),
        Column("study", [c.study for c in cards], number=False, name="study"),
        Column("data", [str(c.data.get("name", "")) for c in cards], number=False, drop=3,
               name="data"),
        Column("rule", [c.rule for c in cards], number=False, on=FILES_ONLY, name="rule"),
        of.words("measure", title, on=on, drop=2, name="measure"),
        of.counts("n", lambda h: h.n, drop=1, name="n"),
        of.shown("value", lambda h: h.value, lambda h: "" if h.value is None else value_with_unit(h),
                 name="value"),
        of.shown("interval", lambda _: None, span, drop=1, in_files=False),
        Column("finished", [str(c.run.get("finished", ""))[:16].replace("T", " ") for c in cards],
               number=False, drop=4, name="finished"),
        Column("folder", [str(folder) for folder in folders], number=False, name="folder"),
    ]  # fmt: skip
    return Table("", columns, most=len(runs), name="runs")
