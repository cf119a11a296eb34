"""Leakage in sentences."""

from collections.abc import Sequence

from tiltmeter.analysis.leakage.flow_results import Flow
from tiltmeter.analysis.leakage.leaks import Leaks
from tiltmeter.data.people.leakage_people import language_name
from tiltmeter.report.document import Text
from tiltmeter.report.text import correlation, counted, p_text, raised

SOLID = "Solid: significant, and above 0 with the raters’ noise taken out."
NAMED = 4
"""Flows that a sentence names."""


def finding(leaks: Leaks) -> list[str | Text]:
    """What was found, the main thing first."""
    others = leaks.other_flows
    if not others:
        flows: list[str | Text] = [f"{leaks.model}: there are no ratings of another country."]
    elif all(flow.alone for flow in others):
        flows = [_alone(leaks)]
    else:
        flows = [_headline(leaks), Text(SOLID, "note"), _significant(leaks)]
    more = [_own(leaks), _placebos(leaks), _traits(leaks)]
    return [*flows, *(text for text in more if text)]


def _headline(leaks: Leaks) -> str:
    others = leaks.other_flows
    solid = sorted((f for f in others if f.is_solid), key=lambda f: -f.standardised)
    every = counted(len(others), "flows")
    if solid:
        verb = "is" if len(solid) == 1 else "are"
        return (
            f"{leaks.model}: {len(solid)} of {every} between languages {verb} solid: "
            f"{_listed(solid)}."
        )
    return f"{leaks.model}: none of {every} between languages is solid."


def _alone(leaks: Leaks) -> str:
    others = leaks.other_flows
    sure = sum(flow.is_significant for flow in others)
    every = counted(len(others), "coefficients")
    return (
        f"{leaks.model}: {sure} of {every} of other countries are significant, each country taken by "
        "itself. What countries share counts for each of them, so these are no leaks."
    )


def _significant(leaks: Leaks) -> str:
    others = [f for f in leaks.other_flows if f.is_leak and not f.is_solid]
    others.sort(key=lambda f: -f.standardised)
    how = "Holm’s adjustment" if any(f.adjusted_p is not None for f in leaks.flows) else ""
    tested = f"p < .05 after {how}" if how else "p < .05, not adjusted"
    if not others:
        no = "No other" if any(f.is_solid for f in leaks.other_flows) else "No"
        return f"{no} coefficient of another country is significant ({tested})."
    verb = "is" if len(others) == 1 else "are"
    gone = (
        "without correction for the raters’ noise, which was not possible"
        if all(f.corrected is None for f in others)
        else "but may be the raters’ noise: the interval of the corrected coefficient includes 0"
    )
    return raised(f"{counted(len(others), 'flows')} {verb} significant ({tested}), {gone}: "
                  f"{_listed(others)}.")  # fmt: skip


def _listed(flows: Sequence[Flow]) -> str:
    shown = [_named(flow) for flow in flows[:NAMED]]
    more = len(flows) - len(shown)
    return "; ".join(shown) + (f"; and {more} more" if more else "")


def _named(flow: Flow) -> str:
    """A flow in words.

    >>> _named(Flow("zh", "ru", 0.02, 5.0, 0.01, 0.03, p=0.01, degrees=500, inflation=2.0))
    'Chinese to Russian (standardised coefficient 0.10, p = 0.0100)'
    """
    corrected = (
        "" if flow.corrected is None else f", corrected {correlation(flow.corrected * flow.spread)}"
    )
    return (
        f"{language_name(flow.source)} to {language_name(flow.target)} (standardised coefficient "
        f"{correlation(flow.standardised)}{corrected}, p = {p_text(flow.final_p)})"
    )


def _own(leaks: Leaks) -> str:
    own = [flow for flow in leaks.flows if flow.is_own]
    sure = [flow for flow in own if flow.is_significant]
    if not own:
        return ""
    if not sure:
        return "In no language do the ratings of its own country explain the scores significantly."
    listed = ", ".join(f"{language_name(f.target)} ({correlation(f.standardised)})" for f in sure)
    return (
        "The ratings of a language’s own country explain the scores significantly (standardised "
        f"coefficient) in {listed}."
    )


def _placebos(leaks: Leaks) -> str:
    """What the coefficients of other cultures are where nothing leaked."""
    made = [flow.placebo for flow in leaks.other_flows if flow.placebo]
    if not made:
        return ""
    means = sorted(one.mean for one in made)
    shares = sorted(100 * one.significant for one in made)
    return (
        "In the placebo, raters of the target’s own country take the place of the model, so nothing leaked. "
        f"Coefficients of other countries are {correlation(means[0])} to {correlation(means[-1])} there on "
        f"average, and significant in {shares[0]:.0f} to {shares[-1]:.0f}\u00a0% of draws."
    )


def _traits(leaks: Leaks) -> str:
    judged = [one for one in leaks.traits if one.at_target is not None]
    if not leaks.traits:
        return ""
    places = {(one.target, one.group, one.trait) for one in judged}
    counts = {
        kind: sum(leaks.polarity.get(trait) == kind for _, _, trait in places)
        for kind in ("positive", "negative", "non-polar")
    }
    listed = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    silent = len({(o.target, o.group, o.trait) for o in leaks.traits if o.at_target is None})
    more = f" Of {silent} more, the target’s people were not asked." if silent else ""
    return (
        f"Traits that people of another country hold of a group, those of the target’s do not, and the "
        f"model has among its strongest: {len(places)} ({listed}).{more}"
    )
