"""A list of run folders, as a document."""

from collections.abc import Sequence
from pathlib import Path

from tiltmeter.core.results import Result
from tiltmeter.report.document import BOTH, FILES_ONLY, Column, Document, Section, Table
from tiltmeter.report.text import span, title, value_with_unit


def run_list_document(runs: Sequence[tuple[Path, Result]], base: Path) -> Document:
    """One row a run, the latest first.

    Args:
        runs: Each with its folder.
        base: The folder that was searched: names are given from there.
    """
    ordered = sorted(runs, key=lambda run: str(run[1].card.run.get("finished", "")), reverse=True)
    table = [_table(ordered, base)] if ordered else []
    return Document(f"Runs in {base}", "", [], [Section("runs", "", table)])


def _table(runs: Sequence[tuple[Path, Result]], base: Path) -> Table:
    """With the measure of each value where they are of several."""
    cards = [result.card for _, result in runs]
    heads = [result.headline for _, result in runs]
    measures = [None if h is None else title(h) for h in heads]
    on = BOTH if len({*measures} - {None}) > 1 else FILES_ONLY
    return Table(
        "",
        [
            Column("model", [c.model_name or c.subtitle for c in cards], number=False, name="model"),
            Column("study", [c.study for c in cards], number=False, on=FILES_ONLY, name="study"),
            Column("data", [str(c.data.get("name", "")) for c in cards], number=False, drop=2,
                   name="data"),
            Column("rule", [c.rule for c in cards], number=False, on=FILES_ONLY, name="rule"),
            Column("measure", measures, number=False, on=on, drop=1, name="measure"),
            Column("value", [None if h is None else h.value for h in heads], name="value",
                   shown=["" if h is None or h.value is None
                          else value_with_unit(h)
                          for h in heads]),
            Column("interval", [None if h is None else span(h, "–") for h in heads], drop=4,
                   in_files=False),
            Column("finished", [str(c.run.get("finished", ""))[:16].replace("T", " ") for c in cards],
                   number=False, drop=3, name="finished"),
            Column("folder", [_from(base, folder) for folder, _ in runs], number=False, name="folder"),
        ],
        most=len(runs),
        name="runs",
    )  # fmt: skip


def _from(base: Path, folder: Path) -> str:
    return str(folder.relative_to(base)) if folder.is_relative_to(base) else str(folder)
