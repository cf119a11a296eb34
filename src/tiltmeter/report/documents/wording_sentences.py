"""What a finding says of wordings: how far the number holds in others, and how much they explain."""

from collections.abc import Sequence

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.text import visible
from tiltmeter.core.wordings import AXIS, LIKE_THESE, OF_VARIANCE, SHARES
from tiltmeter.report import text


def wording_sentences(
    head: Estimate, estimates: Sequence[Estimate], labels: text.Labels = text.NO_LABELS
) -> list[str]:
    r"""Sentences about the headline in these wordings and in others, and on what its variance is from.

    >>> head = Estimate("rate", 61.0, 57.2, 64.7, None, 500, 50, "%")
    >>> other = Estimate("rate_over_wordings", 61.0, 44.0, 76.0, None, 500, 50, "%", clusters=5)
    >>> wording_sentences(head, [head, other])
    ['The interval 57.2 to 64.7 is about these 5 wordings. In wordings like these it is 44.0 to 76.0 and
    contains 50.']
    """
    variant = next((e for e in estimates if e.name == f"{head.name}{LIKE_THESE}"), None)
    sentences = (
        [] if variant is None or head.value is None else [_in_others(head, variant, estimates)]
    )
    shares = [e for e in estimates if e.name.endswith(SHARES) and e.value is not None]
    return [*sentences, *([_explained(head, shares, labels)] if shares else [])]


def _in_others(head: Estimate, variant: Estimate, estimates: Sequence[Estimate]) -> str:
    these = f"these {variant.clusters} wordings"
    if variant.low is None or variant.high is None:
        by_wording = [
            (e.value, e)
            for e in estimates
            if e.name == head.name and {*e.groups} == {AXIS} and e.value is not None
        ]
        if not by_wording:
            return ""
        ends = (by(by_wording, key=lambda pair: pair[0])[1] for by in (min, max))
        low, high = (f"{text.value_with_unit(e)} ({visible(e.groups[AXIS])})" for e in ends)
        why = variant.why.removeprefix("no interval: ")
        return (
            f"This is about {these}, in which it is {low} to {high}. For others there is no interval: "
            f"{why}."
        )
    inside = text.span(head)
    start = f"The interval {inside} is about {these}" if inside else f"This is about {these}"
    contains = head.neutral is not None and variant.low <= head.neutral <= variant.high
    included = f" and contains {text.neutral_text(head)}" if contains else ""
    why = f"; {variant.why}" if variant.why else ""
    return f"{start}. In wordings like these it is {text.span(variant)}{included}{why}."


def _explained(head: Estimate, shares: Sequence[Estimate], labels: text.Labels) -> str:
    """How much of the variance each source explains, the wording first."""
    wording = next((e for e in shares if {*e.groups.values()} == {AXIS}), None)
    if wording is None:
        return ""
    span = text.span(wording)
    inside = f" ({text.level(wording)} interval {span})" if span else ""
    others = (
        f"{text.subset(e.groups, labels, with_axis=False)} {text.value_with_unit(e)}"
        for e in shares
        if e is not wording
    )
    explained = ", ".join([f"{text.value_with_unit(wording)}{inside}", *others])
    title = text.lowered(text.title(wording).removesuffix(OF_VARIANCE))
    of = "" if wording.name == f"{head.name}{SHARES}" else f" ({title})"
    return f"Of the variance of single answers{of} the wording explains {explained}."
