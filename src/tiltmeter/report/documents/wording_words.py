"""What is said of wordings: other wordings, what they explain, and the ranks of models by wording."""

from collections.abc import Sequence

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.text import counted, visible
from tiltmeter.core.wordings import AXIS, LIKE_THESE, OF_VARIANCE, SHARES
from tiltmeter.report import text
from tiltmeter.report.columns import TableRows
from tiltmeter.report.document import Section, Table, Text

RANKS_READ = (
    "The rank of each model in each wording and over all. The range has the ranks that the model may have in "
    "wordings like these, from the differences of each two models over items and wordings."
)


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


def rank_sentences(ranks: Sequence[Estimate]) -> list[str]:
    """How often the model that is first over all is first in single wordings; [] where none or several are.

    >>> made = [Estimate("model_rank", rank, None, None, None, 9, None, "", model=m, groups=groups)
    ...         for m, rank, groups in (("a", 1, {}), ("a", 1, {"wording": "x"}), ("a", 2, {"wording": "y"}))]
    >>> rank_sentences(made)
    ['a, first over all, is first in 1 of 2 wordings.']
    """
    leading = [e for e in ranks if not e.groups and e.value == 1]
    if len(leading) != 1:
        return []
    (first,) = leading
    places = [e.value for e in ranks if e.groups and e.model == first.model]
    times = sum(place == 1 for place in places)
    of = f"{times} of {counted(len(places), 'wordings')}"
    may_be = (
        f" Its rank in wordings like these is {_range(first)}." if first.low is not None else ""
    )
    return [f"{visible(first.model)}, first over all, is first in {of}.{may_be}"]


def rank_sections(ranks: Sequence[Estimate]) -> list[Section]:
    """The table of ranks, the first model first; [] without ranks."""
    whole = sorted((e for e in ranks if not e.groups), key=lambda e: e.value or 0.0)
    if not whole:
        return []
    wordings = list(dict.fromkeys(e.groups[AXIS] for e in ranks if e.groups))
    at = {(e.model, e.groups.get(AXIS, "")): e for e in ranks}
    rows = TableRows(whole)
    columns = [
        rows.words("Model", lambda e: e.model),
        rows.counts("All", lambda e: int(e.value or 0)),
        *([rows.words("Range", _range)] if any(e.low is not None for e in whole) else []),
        *(
            TableRows([at.get((e.model, wording)) for e in whole]).counts(
                wording, lambda e: int(e.value or 0)
            )
            for wording in wordings
        ),
    ]
    notes = list(dict.fromkeys(e.why for e in whole if e.why))
    title = whole[0].meaning.title or "Rank"
    table = Table(
        f"{title}, in each wording", columns, notes=[*notes, whole[0].meaning.caution], name="ranks"
    )
    return [Section("ranks", "Ranks by wording", [Text(RANKS_READ), table])]


def _range(e: Estimate) -> str:
    """The ranks that a model may have."""
    if e.low is None or e.high is None:
        return ""
    low, high = int(e.low), int(e.high)
    return f"{low}" if low == high else f"{low} to {high}"
