"""What leak says: of flows, of what explains them, and of leaked traits."""

from collections.abc import Iterable, Sequence

from tiltmeter.analyses.leak import flows
from tiltmeter.analyses.leak import leaked_traits as traits
from tiltmeter.analyses.leak.leaked_traits import POLARITIES
from tiltmeter.core.analysis import Numbers
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.quantity import Quantity
from tiltmeter.core.results import Paragraph
from tiltmeter.core.text import counted, raised, verb_for
from tiltmeter.data.people.people import language_name
from tiltmeter.report.text import bare_value, final_p, number_of, p_text

NAMED = 4
"""Flows that a sentence names."""


def words(numbers: Numbers) -> list[Paragraph]:
    """The main thing first: solid flows, other significant ones, what explains them, leaked traits."""
    others = [e for e in numbers.all(flows.COEFFICIENT) if flows.is_from_other(e)]
    model, notes = numbers.card.model_name, []
    if not others:
        summary = "there are no ratings of another country."
    elif numbers.card.settings["missing"] == "available":
        summary = _each_alone(others)
    else:
        summary = _headline(numbers, others)
        notes = [
            Paragraph("Solid: significant, and above 0 with the raters’ noise taken out.", "note"),
            Paragraph(_significant(numbers, others)),
        ]
    further = [_own_country(numbers), _placebos(numbers, others), _traits(numbers)]
    headline = Paragraph(f"{model}: {summary}", "headline")
    return [headline, *notes, *(Paragraph(text) for text in further if text)]


def _headline(numbers: Numbers, others: Sequence[Estimate]) -> str:
    targets = list(dict.fromkeys(e.groups[flows.TARGET] for e in numbers.all(flows.GROUPS)))
    where = "between languages"
    if len(targets) == 1:
        where = f"from other countries into {language_name(targets[0])}"
    solid = _strongest_first(e for e in others if e.verdict == flows.SOLID)
    every = f"{counted(len(others), 'flows')} {where}"
    if not solid:
        return f"none of {every} is solid."
    verb = verb_for(len(solid), "are")
    return f"{len(solid)} of {every} {verb} solid: {_listed(numbers, solid)}."


def _each_alone(others: Sequence[Estimate]) -> str:
    sure = sum(e.verdict == flows.ALONE for e in others)
    return (
        f"{sure} of {counted(len(others), 'coefficients')} of other countries {verb_for(sure, 'are')} "
        "significant, each country taken by itself. What countries share counts for each of them, so "
        "these are no leaks."
    )


def _significant(numbers: Numbers, others: Sequence[Estimate]) -> str:
    """Flows that are significant and not solid, and why they are not."""
    unsure = _strongest_first(e for e in others if e.verdict == flows.NOT_SOLID)
    is_adjusted = any(e.p_adjusted is not None for e in others)
    tested = "p < .05 after Holm’s adjustment" if is_adjusted else "p < .05, not adjusted"
    if not unsure:
        no = "No other" if any(e.verdict == flows.SOLID for e in others) else "No"
        return f"{no} coefficient of another country is significant ({tested})."
    verb = verb_for(len(unsure), "are")
    reason = (
        "but may be the raters’ noise: the interval of the corrected coefficient includes 0"
        if any(_at(numbers, flows.CORRECTED, e) for e in unsure)
        else "without correction for the raters’ noise, which was not possible"
    )
    listed = _listed(numbers, unsure)
    return raised(
        f"{counted(len(unsure), 'flows')} {verb} significant ({tested}), {reason}: {listed}."
    )


def _strongest_first(estimates: Iterable[Estimate]) -> list[Estimate]:
    return sorted(estimates, key=lambda e: -(e.value or 0.0))


def _at(numbers: Numbers, of: Quantity, flow: Estimate) -> Estimate | None:
    """Another number of the same flow; None where it has no value."""
    e = numbers.get(of, **flow.groups)
    return None if e is None or e.value is None else e


def _listed(numbers: Numbers, estimates: Sequence[Estimate]) -> str:
    shown = [_named(numbers, flow) for flow in estimates[:NAMED]]
    more = len(estimates) - len(shown)
    return "; ".join(shown) + (f"; and {more} more" if more else "")


def _named(numbers: Numbers, flow: Estimate) -> str:
    corrected = _at(numbers, flows.CORRECTED, flow)
    noise = f", corrected {bare_value(corrected)}" if corrected else ""
    source, target = (language_name(flow.groups[axis]) for axis in (flows.SOURCE, flows.TARGET))
    return (
        f"{source} to {target} (standardised coefficient {bare_value(flow)}{noise}, "
        f"p = {p_text(final_p(flow) or 0.0)})"
    )


def _own_country(numbers: Numbers) -> str:
    """Where the ratings of a language's own country explain its scores."""
    every = numbers.all(flows.COEFFICIENT)
    of_own = [e for e in every if e.groups.get(flows.SOURCE) == e.groups[flows.TARGET]]
    sure = [f"{language_name(e.groups['target'])} ({bare_value(e)})" for e in of_own if e.verdict]
    if not of_own:
        return ""
    if not sure:
        return "In no language do the ratings of its own country explain the scores significantly."
    return (
        "The ratings of a language’s own country explain the scores significantly (standardised "
        f"coefficient) in {', '.join(sure)}."
    )


def _placebos(numbers: Numbers, others: Sequence[Estimate]) -> str:
    """What the coefficients of other countries are where nothing leaked."""
    means, shares = (
        sorted(
            (e for flow in others if (e := _at(numbers, of, flow))), key=lambda e: e.value or 0.0
        )
        for of in (flows.PLACEBO, flows.PLACEBO_SIGNIFICANT)
    )
    if not means:
        return ""
    low, high = (number_of(e, e.value or 0.0) for e in (means[0], means[-1]))
    least, most = (number_of(e, e.value or 0.0) for e in (shares[0], shares[-1]))
    return (
        "In the placebo, raters of the target’s own country take the place of the model, so nothing leaked. "
        f"Coefficients of other countries are {low} to {high} there on average, and significant in {least} "
        f"to {most}\u00a0% of draws."
    )


def _traits(numbers: Numbers) -> str:
    """How many traits leaked, of which polarity."""
    leaked = numbers.of_kind(traits.LEAKED_TRAIT)
    if not leaked:
        return ""
    judged = [record for record in leaked if traits.TARGET_MEAN in record.scores]
    kinds = [record.groups["polarity"] for record in judged]
    listed = ", ".join(f"{kinds.count(kind)} {kind}" for kind in POLARITIES)
    silent = len(leaked) - len(judged)
    more = f" Of {silent} more, the target’s people were not asked." if silent else ""
    return (
        "Traits that people of another country hold about a group, that people of the target "
        f"country do not, and that are among the model’s strongest: {len(judged)} ({listed}).{more}"
    )
