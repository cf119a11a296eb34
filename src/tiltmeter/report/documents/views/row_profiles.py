"""Profiles of rows, such as groups, as pictures and tables: a shared score and each panel's own, by line."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from tiltmeter.core.records import Record
from tiltmeter.core.results import Result
from tiltmeter.core.text import visible
from tiltmeter.core.views import RowProfiles
from tiltmeter.derived.matrices.matrix import opposites
from tiltmeter.report.columns import TableRows
from tiltmeter.report.document import PAGE, TERMINAL, Block, Column, On, Table, Text
from tiltmeter.report.documents.pictures import in_two_layouts
from tiltmeter.report.plots import people_profile
from tiltmeter.report.plots.people_profile import ProfilePanel
from tiltmeter.report.text import label, number, short_title, value_with_unit
from tiltmeter.run.files.folder_names import slug

MARKS = {1.0: " ✓", 0.0: " ✗"}
KEY = "✓ {called} put the {row} on that side of the middle, ✗ on the other side."
TRAITS = {"top": "nearest to the right trait", "bottom": "nearest to the left"}


@dataclass(frozen=True, slots=True)
class _Profile:
    """The records of one row."""

    name: str
    title: str
    """The name with the measure of each panel: "bakers: τ = 0.87, 0.20"."""
    panels: dict[str, dict[str, Record]]
    """The records by panel and line."""

    @property
    def lines(self) -> dict[str, Record]:
        """One record for each line, for what all panels share: that of the first panel with the line."""
        lines: dict[str, Record] = {}
        for panel in self.panels.values():
            for line, record in panel.items():
                lines.setdefault(line, record)
        return lines

    @property
    def by_line(self) -> dict[str, list[Record | None]]:
        """The records of each panel in the order of `lines`; None for lines that the panel lacks."""
        return {panel: [*map(lines.get, self.lines)] for panel, lines in self.panels.items()}


def profile_blocks(result: Result, view: RowProfiles) -> list[Block]:
    """A picture with its table for each row, and for the terminal the tables of the rows asked for."""
    records = [record for record in result.records if record.kind == view.of]
    blocks: list[Block] = []
    for row in view.rows:
        panels: dict[str, dict[str, Record]] = {}
        for record in records:
            if record.groups[view.row] == row:
                lines = panels.setdefault(record.groups[view.panel], {})
                lines[record.groups[view.line]] = record
        if panels:
            names = (label(view.panel, panel, result.card.labels) for panel in panels)
            named = dict(zip(names, panels.values(), strict=True))
            profile = _Profile(row, _title(result, view, row, panels), named)
            blocks.append(_picture(profile, view))
            if row in view.asked:
                tables = (_ends_table(profile, view), _table(profile, view, TERMINAL))
                blocks += [replace(table, asked=True) for table in tables if table is not None]
    return [*([Text(view.explained, on=PAGE)] if view.explained and blocks else []), *blocks]


def _title(result: Result, view: RowProfiles, row: str, panels: Iterable[str]) -> str:
    name = label(view.row, row, result.card.labels)
    places = [{view.row: row}, *({view.row: row, view.panel: panel} for panel in panels)]
    measures = [e for e in result.estimates if e.name == view.measure and e.groups in places]
    values = ", ".join(value_with_unit(e) for e in measures)
    return f"{name}: {short_title(measures[0]).partition(',')[0]} = {values}" if measures else name


def _picture(profile: _Profile, view: RowProfiles) -> Block:
    panels = profile.by_line
    drawn = [ProfilePanel(panel, _scores(of, view.shared)) for panel, of in panels.items()]
    if view.score:
        shared = ProfilePanel(view.called, _scores([*profile.lines.values()], view.shared))
        own = (
            ProfilePanel(panel, _scores(of, view.score), _scores(of, view.agree))
            for panel, of in panels.items()
        )
        drawn = [shared, *own]
    draw = partial(people_profile.side_by_side, profile.title, [*profile.lines], drawn)
    layouts = (people_profile.WIDE, people_profile.NARROW)
    name = f"{view.name}-{slug(profile.name)}"
    return in_two_layouts(name, draw, layouts, table=_table(profile, view, PAGE))


def _scores(records: Sequence[Record | None], name: str) -> list[float | None]:
    return [record.scores.get(name) if record else None for record in records]


def _table(profile: _Profile, view: RowProfiles, on: On) -> Table:
    """The table of all lines: the shared score with interval and n, and each panel's own score.

    Where the view has no score of its own, each panel has the shared score's columns instead.
    """
    columns = [TableRows([*profile.lines]).words(view.line, visible)]
    title = f"{visible(profile.name)}: every {view.line}"
    notes: list[str] = []
    if view.score:
        columns += _score_columns([*profile.lines.values()], view, view.called, missing="none")
        columns += [_own_column(panel, of, view) for panel, of in profile.by_line.items()]
        whys = ((line, record.texts.get("why")) for line, record in profile.lines.items())
        notes = [f"{visible(line)}: {why}" for line, why in whys if why]
        notes.append(f"Bold: at an end of that order. {_key(view)}")
        title += f", in the order of {view.called}"
    else:
        for panel, records in profile.by_line.items():
            columns += _score_columns(records, view, "mean", group=visible(panel))
    name = f"{view.name}-{slug(profile.name)}"
    return Table(title, columns, notes=notes, most=len(profile.lines), name=name, on=on)


def _score_columns(
    records: Sequence[Record | None],
    view: RowProfiles,
    title: str,
    *,
    missing: str = "",
    group: str = "",
) -> list[Column]:
    """Columns of the shared score, its interval and n."""
    rows = TableRows([record.scores if record else None for record in records])
    return [
        rows.numbers(title, lambda of: of.get(view.shared), "{:.1f}".format, missing=missing, group=group),
        rows.shown("interval", lambda _: None, _interval, in_files=False, drop=1, group=group),
        rows.counts("n", lambda of: int(of["n"]) if "n" in of else None, drop=2, group=group),
    ]  # fmt: skip


def _ends_table(profile: _Profile, view: RowProfiles) -> Table | None:
    """The lines at either end of the shared order and of each panel's, outermost first; None for none."""
    shared, panel_end = view.ends
    columns = {view.called: _at_ends(profile.lines, shared, view.shared)}
    orders = [
        columns[view.called],
        *(_at_ends(lines, panel_end, view.score) for lines in profile.panels.values()),
    ]
    places = [(end, i) for end in TRAITS for i in range(max(len(order[end]) for order in orders))]
    if not places:
        return None
    names = [view.called, *profile.panels]
    k = max(len(order[end]) for order in orders for end in TRAITS)
    ends = ", ".join(f"{end} {k} ({what})" for end, what in TRAITS.items())
    cells = [
        [_trait(order[end], end, i, view, first=not at) for end, i in places]
        for at, order in enumerate(orders)
    ]
    shown = [
        Column("", [f"{end} {i + 1}" for end, i in places], number=False, name="place"),
        *(Column(visible(of), texts, number=False) for of, texts in zip(names, cells, strict=True)),
    ]
    title, name = f"{visible(profile.name)}: {ends}", f"ends-{slug(profile.name)}"
    return Table(title, shown, notes=[_key(view)], most=len(places), name=name, on=TERMINAL)


def _at_ends(
    lines: dict[str, Record], text: str, score: str
) -> dict[str, list[tuple[str, Record]]]:
    """The lines at each end ("top", "bottom") with their records, outermost first."""
    return {
        end: sorted(
            ((line, record) for line, record in lines.items() if record.texts.get(text) == end),
            key=lambda pair: pair[1].scores[score],
            reverse=end == "top",
        )
        for end in TRAITS
    }


def _trait(
    order: Sequence[tuple[str, Record]], end: str, rank: int, view: RowProfiles, *, first: bool
) -> str:
    """The trait at one rank of an end, with its value: "wealthy 0.31 ✓"; "" past the last rank."""
    if rank >= len(order):
        return ""
    line, record = order[rank]
    left, right = opposites(line)
    trait = visible(right if end == "top" else left)
    if first:
        return f"{trait} {record.scores[view.shared]:.0f}"
    return f"{trait} {_own(record, view)}"


def _own(record: Record, view: RowProfiles) -> str:
    value = record.scores.get(view.score)
    if value is None:
        return ""
    return number(value) + MARKS.get(record.scores.get(view.agree, -1.0), "")


def _key(view: RowProfiles) -> str:
    return KEY.format(called=view.called, row=view.row)


def _own_column(panel: str, records: Sequence[Record | None], view: RowProfiles) -> Column:
    shown = ["" if r is None else _own(r, view) for r in records]
    bold = [r is not None and bool(r.texts.get(view.ends[1])) for r in records]
    return Column(visible(panel), _scores(records, view.score), shown=shown, bold=bold)


def _interval(scores: Mapping[str, float]) -> str:
    return (
        f"{scores['low']:.0f} to {scores['high']:.0f}" if {"low", "high"} <= scores.keys() else ""
    )
