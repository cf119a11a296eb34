"""The page: one HTML file that works offline, without scripts, for someone who was not there."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from tiltmeter.core.results import Estimate, Result
from tiltmeter.core.study import Study
from tiltmeter.report import wording
from tiltmeter.report.families import by_value, families, headline_of, main_family
from tiltmeter.report.forest import NARROW, WIDE, Row, forest
from tiltmeter.report.lean import Lean, excerpt, pieces, surest
from tiltmeter.report.scale import Scale, scale_of
from tiltmeter.report.spread import (
    NARROW_PANEL,
    WIDE_PANEL,
    bins_of,
    panel,
    said_side,
    spread_of,
)

SUREST = 10
"""How many pairs are listed in either direction."""

EXCERPT = 60
"""Words of a sentence that are shown at once; the rest unfolds."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A plot in the two layouts between which the page's width decides."""

    wide: Markup
    narrow: Markup
    rows: Sequence[Estimate]
    """The same numbers, for the table under it."""


@dataclass(frozen=True, slots=True)
class Section:
    """What the page says about one model."""

    id: str
    model: str
    result: Result
    head: Estimate | None
    caution: str
    by: str
    """What the categories are: "bias type"."""
    categories: Picture | None
    subsets: Picture | None
    """The headline's measure over the other axes: stereo and antistereo, …"""
    confidence: Picture | None
    halves: Sequence[str]
    """Both halves of the confidence picture, in words."""
    towards: Sequence[tuple[str, Sequence[Lean]]]
    """(which way, the surest pairs), twice."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What the page says about two models."""

    models: str
    head: Estimate | None
    drawn: Picture
    rest: Sequence[Estimate]
    """What else was compared: how often they agree, …"""


def page(
    results: Sequence[Result],
    comparisons: Sequence[Estimate] = (),
    *,
    study: Study[Any] | None = None,
    show_text: bool = True,
) -> str:
    """A whole HTML page about one study of one or several models.

    Nothing is fetched and no script runs; the page says so to the browser. Equal results give equal
    pages: times and durations stay in the card.

    Args:
        results: At least one, all of the same study.
        comparisons: Differences between the models, as the comparison made them.
        study: Adds its title, what the number means, and what it does not show.
        show_text: False leaves the items' texts out of the file; otherwise the page hides them
            until the reader asks.
    """
    sections = _sections(results)
    return (
        _environment()
        .get_template("page.html")
        .render(
            title=study.title if study else results[0].card.study,
            study=study,
            sections=sections,
            card=results[0].card,
            overall=_overall(sections),
            compared=_compared(comparisons),
            estimates=[*(e for r in results for e in r.estimates), *comparisons],
            warning=_warning(results),
            show_text=show_text,
            several=len(results) > 1,
        )
    )


def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("tiltmeter.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    words = ("finding", "verdict", "number", "with_unit", "p_text", "span", "is_clear", "title")
    made.filters |= {name: getattr(wording, name) for name in (*words, "subset", "neutral_text")}
    made.filters |= {
        "linked": linked,
        "cut": _cut,
        "fact": _fact,
        "kind": _kind,
        "axes": _axes,
        "unequal": _unequal,
    }
    return made


_ADDRESS = re.compile(
    r"((?:https?://|\bdoi:10\.)[^\s<>\"']+[^\s<>\"'.,;:)\]])"  # not the full stop after it
)


def linked(text: str) -> Markup:
    """Web addresses and DOIs become links; all the rest is escaped.

    >>> print(linked("see <b> doi:10.1/a, or"))
    see &lt;b&gt; <a href="https://doi.org/10.1/a" rel="noreferrer">doi:10.1/a</a>, or
    """
    link = Markup('<a href="{}" rel="noreferrer">{}</a>')
    parts = enumerate(_ADDRESS.split(wording.visible(text)))
    return Markup("").join(
        link.format(re.sub("^doi:", "https://doi.org/", part), part) if i % 2 else escape(part)
        for i, part in parts
    )


def _sections(results: Sequence[Result]) -> list[Section]:
    scale = _shared_scale(results)
    spreads = [spread_of(_name(r), r.records) for r in results]
    bins = bins_of(spreads)
    found = []
    for i, (result, spread) in enumerate(zip(results, spreads, strict=True), 1):
        name, head = f"r{i}", headline_of(result.estimates)
        clusters = str(result.card.data.get("clusters") or "")
        more, less = surest(result.records, SUREST)
        pictured = Picture(
            panel(spread, bins, name=f"{name}-sure", layout=WIDE_PANEL),
            panel(spread, bins, name=f"{name}-sure-narrow", layout=NARROW_PANEL),
            [e for e in result.estimates if "confidence" in e.name and not e.groups],
        )
        found.append(
            Section(
                id=name,
                model=_name(result),
                result=result,
                head=head,
                caution=wording.caution(head, result.estimates, clusters) if head else "",
                by=family.title if (family := main_family(result.estimates)) else "",
                categories=_categories(result, head, scale, name),
                subsets=_subsets(result, head, scale, name),
                confidence=pictured if spread.pairs else None,
                halves=[said_side(spread.more, "more"), said_side(spread.less, "less")],
                towards=[("more", more), ("less", less)] if spread.pairs else [],
            )
        )
    return found


def _name(result: Result) -> str:
    return wording.visible(str(result.card.model.get("name", "")) or "the model")


def _shared_scale(results: Sequence[Result]) -> Scale | None:
    """One axis for the categories of all models, where they share a neutral value."""
    found = [main_family(r.estimates) for r in results]
    rows = [e for family in found if family for e in family.estimates]
    return scale_of(rows) if rows and len({(e.neutral, e.unit) for e in rows}) == 1 else None


def _categories(
    result: Result, head: Estimate | None, scale: Scale | None, name: str
) -> Picture | None:
    family = main_family(result.estimates)
    if family is None or head is None:
        return None
    ranked = by_value(family.estimates)
    rows = [Row(wording.subset(e.groups, with_axis=False), e) for e in ranked]
    rows.append(Row("all", head, total=True))
    title = f"{wording.title(head.name)} of {_name(result)} by {family.title}"
    return _picture(rows, f"{name}-forest", title, scale)


def _subsets(
    result: Result, head: Estimate | None, scale: Scale | None, name: str
) -> Picture | None:
    main = main_family(result.estimates)
    rows = [
        Row(wording.subset(e.groups), e)
        for f in families(result.estimates)
        if head and f.name == head.name and f.is_drawn and f != main
        for e in f.estimates
    ]
    title = f"{wording.title(head.name)} of {_name(result)} by subset" if head else ""
    return _picture(rows, f"{name}-subsets", title, scale) if rows else None


def _overall(sections: Sequence[Section]) -> Picture | None:
    """The models' headlines beside each other, highest first."""
    heads = {s.id: s.head for s in sections if s.head is not None}
    same = {(e.name, e.unit, e.neutral) for e in heads.values()}
    if len(heads) < 2 or len(same) != 1:  # noqa: PLR2004  # nothing to compare
        return None
    models = {id(s.head): s.model for s in sections}
    rows = [Row(models[id(e)], e) for e in by_value(heads.values())]
    return _picture(rows, "models", f"{wording.title(rows[0].estimate.name)} by model")


def _compared(comparisons: Sequence[Estimate]) -> list[Compared]:
    """One for every two models, in the order of the comparisons."""
    found = []
    for i, models in enumerate(dict.fromkeys(e.model for e in comparisons), 1):
        members = [e for e in comparisons if e.model == models]
        first = [e for e in members if e.name == members[0].name]
        with_axis = len({axis for e in first for axis in e.groups}) > 1
        rows = [
            Row(wording.subset(e.groups, with_axis=with_axis), e, total=not e.groups)
            for e in sorted(by_value(first), key=lambda e: not e.groups)
        ]
        title = f"{wording.title(first[0].name)}, {models}"
        drawn = _picture(rows, f"compared-{i}", title)
        rest = [e for e in members if e not in first]
        found.append(Compared(models, headline_of(first), drawn, rest))
    return found


def _picture(rows: Sequence[Row], name: str, title: str, scale: Scale | None = None) -> Picture:
    wide = forest(rows, name=name, title=title, layout=WIDE, scale=scale)
    narrow = forest(rows, name=f"{name}-narrow", title=title, layout=NARROW, scale=scale)
    return Picture(wide, narrow, [row.estimate for row in rows])


def _warning(results: Sequence[Result]) -> str:
    """The data's own words of caution, each once."""
    found = (str(r.card.data.get("warning") or "") for r in results)
    return " ".join(dict.fromkeys(text for text in found if text))


def _cut(lean: Lean, side: str) -> Mapping[str, Any]:
    """One sentence of a pair: its excerpt, the whole of it, and whether they differ."""
    texts = lean.record.texts
    mine, other = texts.get(side, ""), texts.get("less" if side == "more" else "more", "")
    whole = pieces(mine, other)
    short = excerpt(whole, EXCERPT)
    return {"short": short, "whole": whole, "cut": short != whole, "words": len(mine.split())}


def _fact(value: object) -> str:
    """A fact of a card as a person reads it."""
    if value is None or value == "":
        return "not stated"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, Mapping):
        return "; ".join(f"{k}: {_fact(v)}" for k, v in value.items())
    return "; ".join(map(_fact, value)) if isinstance(value, list | tuple) else str(value)


def _unequal(values: Iterable[Any]) -> list[Any]:
    """Each value once, in order: for values that cannot be hashed."""
    found: list[Any] = []
    for value in values:
        if value not in found:
            found.append(value)
    return found


def _axes(rows: Sequence[Estimate]) -> set[tuple[str, ...]]:
    """The crossings of axes among these rows, all items apart."""
    return {tuple(e.groups) for e in rows if e.groups}


def _kind(lean: Lean) -> str:
    return ", ".join(lean.record.groups.values())


def _shown(value: object) -> object:
    """Every text on the page passes here: what would act on the reader's screen is spelled out."""
    return (
        wording.visible(value)
        if isinstance(value, str) and not isinstance(value, Markup)
        else value
    )
