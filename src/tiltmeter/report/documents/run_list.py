"""A list of run folders, as a document."""

from collections.abc import Sequence
from pathlib import Path

from tiltmeter.core.results import Result
from tiltmeter.report.document import FILES_ONLY, Column, Document, Lines, Section, Table
from tiltmeter.report.text import number, short_unit, span, title


def run_list_document(
    runs: Sequence[tuple[Path, Result]], others: Sequence[str], base: Path
) -> Document:
    """One row a run, the latest first, and what else there is.

    Args:
        runs: Each with its folder.
        others: A line for each folder that holds no run.
        base: The folder that was searched: names are given from there.
    """
    ordered = sorted(runs, key=lambda run: str(run[1].card.run.get("finished", "")), reverse=True)
    blocks = [_table(ordered, base)] if ordered else []
    listed = [Lines(list(others), "Other folders", on=frozenset({"terminal", "page"}))]
    return Document(
        f"Runs in {base}", "", [], [Section("runs", "", [*blocks, *(listed if others else [])])]
    )


def _table(runs: Sequence[tuple[Path, Result]], base: Path) -> Table:
    cards = [result.card for _, result in runs]
    heads = [result.headline for _, result in runs]
    return Table(
        "",
        [
            Column("model", [c.model_name for c in cards], number=False, name="model"),
            Column("study", [c.study for c in cards], number=False, on=FILES_ONLY, name="study"),
            Column("data", [str(c.data.get("name", "")) for c in cards], number=False, drop=1,
                   name="data"),
            Column("rule", [c.rule for c in cards], number=False, on=FILES_ONLY, name="rule"),
            Column("measure", [None if h is None else title(h) for h in heads], number=False,
                   on=FILES_ONLY, name="measure"),
            Column("value", [None if h is None else h.value for h in heads], name="value",
                   shown=["" if h is None or h.value is None
                          else f"{number(h.value, h.unit)} {short_unit(h.unit)}".strip()
                          for h in heads]),
            Column("interval", [None if h is None else span(h, "–") for h in heads], drop=3,
                   in_files=False),
            Column("finished", [str(c.run.get("finished", ""))[:16].replace("T", " ") for c in cards],
                   number=False, drop=2, name="finished"),
            Column("folder", [_from(base, folder) for folder, _ in runs], number=False, name="folder"),
        ],
        most=len(runs),
        name="runs",
    )  # fmt: skip


def _from(base: Path, folder: Path) -> str:
    return str(folder.relative_to(base)) if folder.is_relative_to(base) else str(folder)
