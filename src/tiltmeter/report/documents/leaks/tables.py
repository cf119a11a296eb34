"""Tables of flows, of what they rest on, and of monolingual models beside them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from tiltmeter.analysis.leakage.flow_results import Flow, TargetFlows
from tiltmeter.analysis.leakage.human_cells import HumanCells
from tiltmeter.analysis.leakage.leaks import Leaks
from tiltmeter.data.people.leakage_people import language_name
from tiltmeter.report.columns import TableRows, interval_columns
from tiltmeter.report.document import PAGE, TERMINAL, Column, Table
from tiltmeter.report.text import correlation, number, p_text, span


class Bounds(NamedTuple):
    """An interval."""

    low: float
    high: float


def language_column(title: str, codes: Sequence[str], name: str) -> Column:
    """Languages: their codes in files, their names for readers."""
    return Column(title, codes, shown=[language_name(c) for c in codes], number=False, name=name)


def way_columns(ways: Sequence[tuple[str, str]]) -> list[Column]:
    """Source and target of each row: one column on the page, two elsewhere."""
    sources, targets = ([way[i] for way in ways] for i in (0, 1))
    return [
        TableRows(ways).words(
            "flow", lambda way: " → ".join(map(language_name, way)), on=PAGE, in_files=False
        ),
        replace(language_column("from", sources, "source"), on=TERMINAL),
        replace(language_column("into", targets, "target"), on=TERMINAL),
    ]


def flow_table(leaks: Leaks) -> Table:
    """Each target and source: coefficient, tests, placebo, and the coefficient corrected for noise."""
    flows = leaks.flows
    of, scale, show = TableRows(flows), _scale(leaks), _show(leaks)
    corrected = [_bounds(f.corrected_low, f.corrected_high, scale(f)) for f in flows]
    adjusted = any(flow.adjusted_p is not None for flow in flows)
    bounds = [Bounds(f.low * scale(f), f.high * scale(f)) for f in flows]
    drawn = [_placebo_bounds(f, scale(f)) for f in flows]

    def ends(title: str, of: Sequence[Bounds | None], drop: int) -> Column:
        return interval_columns(of, title, lambda e: span(e, "–", show), drop=drop)[0]

    return Table(
        "",
        [
            *way_columns([(f.source, f.target) for f in flows]),
            of.shown("verdict", _verdict, _verdict),
            of.numbers("coefficient", lambda f: f.coefficient * scale(f), show, in_files=False),
            ends("interval", bounds, 3),
            of.numbers("placebo", lambda f: _placebo(f, scale(f)), show, in_files=False, drop=2),
            of.numbers("corrected", lambda f: f.corrected and f.corrected * scale(f), show,
                       missing="undefined", in_files=False),
            ends("interval", corrected, 1),
            of.numbers("p (Holm)", lambda f: f.adjusted_p, p_text, name="p_holm"),
            of.numbers("p", lambda f: f.p, p_text, drop=4 if adjusted else 0),
            ends("placebo, 95 %", drawn, 6),
            of.numbers("placebo, p < .05", lambda f: 100 * f.placebo.significant if f.placebo else None,
                       lambda v: f"{v:.0f}\u00a0%", in_files=False, drop=5),
            *of.hidden(_FILE_COLUMNS),
        ],
        strong=[flow.is_solid for flow in flows],
        notes=_reasons(flows),
        most=40,
        name="flows",
    )  # fmt: skip


_FILE_COLUMNS: dict[str, Callable[[Flow], float | str | None]] = {
    "coefficient": lambda f: f.coefficient,
    "low": lambda f: f.low,
    "high": lambda f: f.high,
    "standardised": lambda f: f.standardised,
    "standardised_low": lambda f: f.low * f.spread,
    "standardised_high": lambda f: f.high * f.spread,
    "degrees_of_freedom": lambda f: f.degrees,
    "variance_inflation": lambda f: f.inflation,
    "placebo_standardised": lambda f: f.placebo.mean if f.placebo else None,
    "placebo_low": lambda f: f.placebo.low if f.placebo else None,
    "placebo_high": lambda f: f.placebo.high if f.placebo else None,
    "placebo_significant": lambda f: f.placebo.significant if f.placebo else None,
    "corrected": lambda f: f.corrected,
    "corrected_low": lambda f: f.corrected_low,
    "corrected_high": lambda f: f.corrected_high,
    "corrected_standardised": lambda f: None if f.corrected is None else f.corrected * f.spread,
    "why": lambda f: f.why,
}


def _scale(leaks: Leaks) -> Callable[[Flow], float]:
    if leaks.settings.scaling == "paper":
        return lambda _: 1.0
    return lambda flow: flow.spread


def _show(leaks: Leaks) -> Callable[[float], str]:
    return number if leaks.settings.scaling == "paper" else correlation


def _bounds(low: float | None, high: float | None, scale: float) -> Bounds | None:
    return None if low is None or high is None else Bounds(low * scale, high * scale)


def _placebo(flow: Flow, scale: float) -> float | None:
    return flow.placebo.mean / flow.spread * scale if flow.placebo else None


def _placebo_bounds(flow: Flow, scale: float) -> Bounds | None:
    made = flow.placebo
    if made is None:
        return None
    return Bounds(made.low / flow.spread * scale, made.high / flow.spread * scale)


def _verdict(flow: Flow) -> str:
    if not flow.is_significant:
        return "–"
    return "alone" if flow.alone else "solid" if flow.is_solid else "not solid"


def _reasons(flows: Sequence[Flow]) -> list[str]:
    """Why there are no corrected coefficients."""
    said = _by_text((f.target, f"no corrected coefficients: {f.why}.") for f in flows if f.why)
    return [f"Into {text}" for text in said]


def _by_text(said: Iterable[tuple[str, str]]) -> list[str]:
    """What is said of languages, once for all of which it is said."""
    languages: dict[str, dict[str, None]] = {}
    for code, text in said:
        languages.setdefault(text, {})[language_name(code)] = None
    return [f"{', '.join(names)}: {text}" for text, names in languages.items()]


def monolingual_table(leaks: Leaks) -> Table:
    """The coefficient of each monolingual model."""
    rows = [one.covariate for one in leaks.targets if one.covariate]
    of, scale, show = TableRows(rows), _scale(leaks), _show(leaks)
    models = {one.language: one.model for one in leaks.monolingual}
    return Table(
        "",
        [
            language_column("into", [f.target for f in rows], "target"),
            of.words("monolingual model", lambda f: models[f.target], name="model"),
            of.numbers("coefficient", lambda f: f.coefficient * scale(f), show),
            *interval_columns([Bounds(f.low * scale(f), f.high * scale(f)) for f in rows],
                              show=lambda e: span(e, "–", show)),
            of.numbers("p", lambda f: f.p, p_text),
        ],
        name="monolingual",
    )  # fmt: skip


def change_table(leaks: Leaks) -> Table:
    """Coefficients of people without and with the monolingual model."""
    pairs = [(f, f.change) for f in leaks.flows if f.change]
    of, scale, show = TableRows(pairs), _scale(leaks), _show(leaks)
    return Table(
        "",
        [
            *way_columns([(f.source, f.target) for f, _ in pairs]),
            of.numbers("without", lambda row: row[1].without * scale(row[0]), show),
            of.numbers("with", lambda row: row[0].coefficient * scale(row[0]), show),
            of.numbers("difference", lambda row: row[1].difference * scale(row[0]), show),
            *interval_columns([_bounds(c.low, c.high, scale(f)) for f, c in pairs],
                              show=lambda e: span(e, "–", show)),
        ],
        most=40,
        name="covariate",
    )  # fmt: skip


def target_table(leaks: Leaks) -> Table:
    """What the regression of each language rests on."""
    targets = leaks.targets
    of = TableRows(targets)
    return Table(
        "",
        [
            language_column("into", [one.target for one in targets], "target"),
            of.counts("groups", lambda one: len(one.groups)),
            of.counts("traits", lambda one: len(one.columns)),
            of.numbers("explained, %", _explained, lambda v: number(v, "%"), name="explained_percent"),
            of.numbers("SD, traits", lambda one: one.trait_sd, name="trait_sd", drop=2),
            of.numbers("SD, groups", lambda one: one.group_sd, name="group_sd", drop=2),
            of.numbers("SD, residuals", lambda one: one.residual_sd, name="residual_sd", drop=2),
        ],
        notes=_by_text((one.target, note) for one in targets for note in one.notes),
        on=PAGE,
        name="targets",
    )  # fmt: skip


def _explained(one: TargetFlows) -> float:
    return 100 * one.explained


def people_table(leaks: Leaks) -> Table:
    """Raters and groups of each language."""
    people = list(leaks.people.values())
    of = TableRows(people)
    least = leaks.settings.convention.min_raters
    return Table(
        "",
        [
            language_column("language", [one.name for one in people], "language"),
            of.counts("raters", lambda one: len(one.scores)),
            of.counts("groups rated", _rated, name="groups"),
            of.counts(f"by {least} or more", lambda one: int(one.enough.all(axis=1).sum()),
                      name="groups_with_enough_raters"),
            of.numbers("raters of a group, median", _median, lambda v: f"{v:g}", name="median_raters"),
        ],
        name="people",
    )  # fmt: skip


def _rated(one: HumanCells) -> int:
    return int((one.counts > 0).any(axis=1).sum())


def _median(one: HumanCells) -> float:
    counts = one.counts.max(axis=1)
    return float(np.median(counts[counts > 0]))
