"""The page: one HTML file that works offline, without scripts, for someone who was not there."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from tiltmeter.core.results import Estimate, Result
from tiltmeter.core.study import Study
from tiltmeter.report import grid, terms, wording
from tiltmeter.report.cells_compared import cells_compared
from tiltmeter.report.margins import Lean, excerpt, pieces
from tiltmeter.report.matrices import beside_cells
from tiltmeter.report.sections import Towards, compared, overall, sections, surface_of

AGAINST = {
    "more": "less",
    "less": "more",
    "stereotype": "anti_stereotype",
    "anti_stereotype": "stereotype",
    "unrelated": "stereotype",
}
"""What the words of each sentence are held against, to mark where they differ."""

EXCERPT = 60
"""Words of a sentence that are shown at once; the rest unfolds."""


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
    found = sections(results)
    numbers = [*(e for r in results for e in r.estimates), *comparisons]
    return (
        _environment()
        .get_template("page.html")
        .render(
            title=study.title if study else results[0].card.study,
            study=study,
            sections=found,
            surface=surface_of(results),
            items="contexts" if all(s.one == "context" and s.towards for s in found) else "pairs",
            card=results[0].card,
            overall=overall(found),
            compared=[] if found[0].matrix else compared(comparisons),
            cells=cells_compared(comparisons, found[0].matrix.layers) if found[0].matrix else [],
            estimates=beside_cells(numbers) if found[0].matrix else numbers,
            warning=_warning(results),
            show_text=show_text,
            several=len(results) > 1,
        )
    )


@cache
def _environment() -> Environment:
    """Made once, as templates are compiled once for each environment."""
    made = Environment(
        loader=PackageLoader("tiltmeter.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    words = (
        "finding", "overview", "verdict", "number", "with_unit", "p_text", "span", "is_clear", "title",
        "subset", "neutral_text", "adjustment", "final_p", "visible",
    )  # fmt: skip
    made.filters |= {name: getattr(wording, name) for name in words}
    made.filters |= {
        "linked": linked,
        "cut": _cut,
        "fact": _fact,
        "kind": _kind,
        "sure": _sure,
        "margins": _margins,
        "axes": _axes,
        "unequal": _unequal,
        "set": _set,
        "told": grid.is_told,
        "nearer": grid.nearer,
        "poles": _poles,
        "dashed": _dashed,
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


def _warning(results: Sequence[Result]) -> str:
    """The data's own words of caution, each once."""
    found = (str(r.card.data.get("warning") or "") for r in results)
    return " ".join(dict.fromkeys(text for text in found if text))


def _cut(lean: Lean, side: str) -> Mapping[str, Any]:
    """One sentence of an item: its excerpt, the whole of it, and whether they differ."""
    texts = lean.record.texts
    mine, other = texts.get(side, ""), texts.get(AGAINST[side], "")
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


def _set(settings: Mapping[str, str]) -> dict[str, str]:
    """Settings as a reader takes them: what was left empty is as if it had not been there."""
    return {name: value or "not set" for name, value in settings.items()}


def _poles(cell: Estimate) -> str:
    """The trait that a cell leans to and the other one; both alike where nothing is told."""
    left, right = grid.traits(cell.groups["pair"])
    if not grid.is_told(cell):
        return f"{left} – {right}"
    one, other = (right, left) if (cell.value or 0.0) > 0 else (left, right)
    return f"{one} rather than {other}"


def _dashed(pair: str) -> str:
    return " – ".join(grid.traits(pair))


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


def _sure(lean: Lean) -> str:
    """How surely, without the sign: the list says which way."""
    if lean.unit == "%":
        return f"{wording.number(100 * abs(lean.confidence), lean.unit)} %"
    return f"{wording.number(abs(lean.confidence))} {lean.unit}"


def _margins(ways: Sequence[Towards]) -> str:
    """What the margins are counted in."""
    in_nats = any(lean.unit == "nats" for way in ways for lean in way.leans)
    nats = "in nats: 1 is a factor of 2.7 between their probabilities, 2.3 a factor of ten."
    return nats if in_nats else "in points of the rule’s scores, which are no log-probabilities."


def _kind(lean: Lean) -> str:
    """The values of its axes; of a context without the target term, which stands before them."""
    without = {terms.TERMS} if lean.unit != "%" else set()
    return ", ".join(v for k, v in lean.record.groups.items() if k not in without)


def _shown(value: object) -> object:
    """Every text on the page passes here: what would act on the reader's screen is spelled out."""
    return (
        wording.visible(value)
        if isinstance(value, str) and not isinstance(value, Markup)
        else value
    )
