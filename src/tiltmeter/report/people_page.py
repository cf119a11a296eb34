"""The page about alignment with people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from tiltmeter.analysis.people.alignment import Alignment, Alignments
from tiltmeter.analysis.people.alignment_numbers import MEAN, OWN, POOLED, precision_name
from tiltmeter.analysis.people.ceiling_numbers import PERSON, REACH, SPLIT
from tiltmeter.core.results import Estimate
from tiltmeter.report import people_words
from tiltmeter.report.page import _environment as environment
from tiltmeter.report.plots import people_profile
from tiltmeter.report.plots.forest import NARROW, Layout, Row, forest
from tiltmeter.report.plots.picture import Picture
from tiltmeter.report.plots.scale import scale_of
from tiltmeter.report.wording import visible

GROUPS = Layout(width=720, left=170, right=470, row=26)
TEMPLATES = Layout(width=720, left=262, right=490, row=26, letters=36)
"""With more room for numbers than elsewhere, as intervals reach the ends of the axis; and for names."""


@dataclass(frozen=True, slots=True)
class Part:
    """What the page says about one matrix."""

    id: str
    name: str
    one: Alignment
    finding: Sequence[str]
    pilot: str
    overall: Sequence[tuple[str, Estimate]]
    ceilings: Sequence[tuple[str, Estimate, str]]
    groups: Picture | None
    rows: Sequence[Mapping[str, Any]]
    """The same as a table, with what people reach."""
    ends: str
    charts: Sequence[tuple[str, Estimate, Markup, Markup]]
    """(group, its tau, wide, narrow), nearest to people first."""
    templates: Picture | None
    subsets: Picture | None

    @property
    def facts(self) -> dict[str, str]:
        """Where the matrix comes from."""
        return {"matrix": self.one.source.path, **self.one.source.facts}


def people_page(made: Alignments, *, command: str = "") -> str:
    """A whole HTML page: nothing is fetched, no script runs, all text is escaped.

    Args:
        made: What was found.
        command: That makes it again.
    """
    parts = [_part(one, made, f"m{i}") for i, one in enumerate(made.parts, 1)]
    return (
        environment()
        .get_template("people.html")
        .render(
            made=made,
            parts=parts,
            several=len(parts) > 1,
            beside=_beside(parts),
            compared=[(people_words.title(e.name), e) for e in made.compared],
            settings=people_words.settings(made),
            two=people_words.two,
            ends=people_words.ends,
            k=made.wanted.k,
            command=command,
        )
    )


def _part(one: Alignment, made: Alignments, name: str) -> Part:
    k = made.wanted.k
    names = (POOLED, MEAN, precision_name(k), OWN)
    return Part(
        name,
        visible(one.source.name),
        one,
        people_words.finding(one, k),
        people_words.pilot(one),
        [(people_words.title(n), e) for n in names if (e := one.find(n)) is not None],
        people_words.ceilings(one, k),
        _groups(one, name),
        _rows(one, k),
        people_words.nearest_and_farthest(one),
        _charts(one, k, name),
        _templates(one, name),
        _subsets(one, name),
    )


def _groups(one: Alignment, name: str) -> Picture | None:
    """Tau of each group on what two halves of its people reach."""
    rows = [
        Row(e.groups["group"], e, beside=_span(one.find(f"{POOLED}_{SPLIT}", **e.groups)))
        for e in people_words.ranked(one)
    ]
    total = one.find(MEAN)
    if total is not None:
        split = one.find(f"{MEAN}_{SPLIT}")
        rows.append(Row("mean over groups", total, total=True, beside=_span(split)))
    title = f"Kendall’s τ with people, {visible(one.source.name)}"
    drawn = _drawn(rows, f"{name}-groups", title)
    return replace(drawn, rows=()) if drawn else None  # a table with more columns follows


def _templates(one: Alignment, name: str) -> Picture | None:
    chosen = one.pilot.templates if one.pilot else ()
    ranked = sorted(one.by_template, key=lambda e: (e.value is None, -(e.value or 0.0)))
    rows = [
        Row(("● " if e.groups["template"] in chosen else "") + e.groups["template"], e)
        for e in ranked
    ]
    title = f"τ by template, {visible(one.source.name)}"
    return _drawn(rows, f"{name}-templates", title, TEMPLATES)


def _subsets(one: Alignment, name: str) -> Picture | None:
    rows = [Row(f"{s.value or '(empty)'} ({s.people} people)", s.estimates[0]) for s in one.subsets]
    return _drawn(rows, f"{name}-subsets", f"τ by who was asked, {visible(one.source.name)}")


def _beside(parts: Sequence[Part]) -> Picture | None:
    """The pooled tau of several matrices."""
    if len(parts) < 2:  # noqa: PLR2004
        return None
    rows = [
        Row(part.name, e, beside=_span(part.one.find(f"{POOLED}_{SPLIT}")))
        for part in parts
        if (e := part.one.find(POOLED)) is not None
    ]
    return _drawn(rows, "matrices", "Kendall’s τ with people by matrix")


def _drawn(rows: Sequence[Row], name: str, title: str, layout: Layout = GROUPS) -> Picture | None:
    if not rows:
        return None
    spans = [end for row in rows if row.beside for end in row.beside]
    known = [row.estimate for row in rows]
    if spans:  # the axis holds the ranges as well
        known.append(Estimate("", None, min(spans), max(spans), None, 0, 0.0, ""))
    scale = scale_of(known)
    wide = forest(rows, name=name, title=title, layout=layout, scale=scale)
    narrow = forest(rows, name=f"{name}-narrow", title=title, layout=NARROW, scale=scale)
    return Picture(wide, narrow, [row.estimate for row in rows])


def _span(estimate: Estimate | None) -> tuple[float, float] | None:
    if estimate is None or estimate.low is None or estimate.high is None:
        return None
    return estimate.low, estimate.high


def _rows(one: Alignment, k: int) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = []
    for e in people_words.ranked(one):
        kinds = (SPLIT, REACH, PERSON)
        beside = {kind: one.find(f"{POOLED}_{kind}", **e.groups) for kind in kinds}
        precision = one.find(precision_name(k), **e.groups)
        found.append({"group": e.groups["group"], "tau": e, "precision": precision} | beside)
    return found


def _charts(one: Alignment, k: int, name: str) -> list[tuple[str, Estimate, Markup, Markup]]:
    found = []
    for number, e in enumerate(people_words.ranked(one)):
        group = e.groups["group"]
        at = one.groups.index(group)
        scores, said = one.scores[at], one.said[at]
        wide, narrow = (
            people_profile.side_by_side(
                group, one.pairs, scores, said, k=k, model=one.source.name,
                name=f"{name}-chart{number}{layout.width}", layout=layout,
            )
            for layout in (people_profile.WIDE, people_profile.NARROW)
        )  # fmt: skip
        found.append((group, e, wide, narrow))
    return found
