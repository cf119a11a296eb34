"""Writes findings as sentences, from the words that each measure declares."""

from collections.abc import Iterable, Sequence
from string import Template

from tiltmeter.core.estimates import Estimate, weaker_variant
from tiltmeter.core.study_views import Matrix
from tiltmeter.core.text import counted, raised, verb_for, visible
from tiltmeter.core.views import View
from tiltmeter.core.wordings import LIKE_THESE
from tiltmeter.data.people.item_verdicts import AXIS, DOUBTFUL, NOT_JUDGED, VALID
from tiltmeter.report import text
from tiltmeter.report.few_items import few_mark, shown_significant
from tiltmeter.report.value_marks import interval_against_p


def finding(estimate: Estimate, model: str = "", labels: text.Labels = text.NO_LABELS) -> str:
    r"""An estimate as a sentence: measure, value, number of items, interval, and the neutral value.

    >>> finding(Estimate("mean_margin", 0.12, 0.02, 0.21, 0.01, 8, 0, "nats"), "demo")
    'demo: mean margin is 0.120\xa0nats over 8 items, 95\xa0% interval 0.0200 to 0.210; the neutral
    value is 0.'
    """
    who = visible(model) or text.models_of(estimate) or "The model"
    where = f" ({text.subset(estimate.groups, labels)})" if estimate.groups else ""
    if estimate.value is None:
        return text.sentence_end(
            f"{who}: {text.lowered(text.title(estimate))}{where} is undefined: {text.why_undefined(estimate)}"
        )
    words, over = _own_words(estimate), counted(estimate.n, estimate.meaning.counts)
    if not words and estimate.neutral == 0 and (models := text.compared(estimate)):
        return _apart(estimate, models, f"{where} over {over}")
    value = text.with_unit(estimate.value, estimate.unit)
    plain = f"{text.lowered(text.title(estimate))}{where} is {value} over {over}"
    start = f"{who}{where} {words}" if words else f"{who}: {plain}"
    return f"{start}, {_how_sure(estimate)}{_neutral(estimate)}."


NAMED = 3
"""How many significant subsets a headline names."""


def headline(
    head: Estimate,
    estimates: Iterable[Estimate],
    model: str = "",
    labels: text.Labels = text.NO_LABELS,
) -> str:
    r"""The finding over all items; if it is not significant but subsets are, these are named first.

    >>> age = Estimate("rate", 72.0, 60.0, 82.0, 0.004, 60, 50, "%", groups={"bias_type": "age"},
    ...                p_adjusted=0.02)
    >>> headline(Estimate("rate", 53.0, 46.0, 60.0, 0.4, 200, 50, "%"), [age], "demo")
    'demo: rate is significant for bias type: age (72.0\xa0%, p = 0.0200) after Holm’s adjustment. Over
    all 200 items: 53.0\xa0%, 95\xa0% interval 46.0 to 60.0, not significant (p = 0.400).'
    """
    parts = () if head.significant else significant_parts(head, estimates)
    if not parts:
        return finding(head, model, labels)
    who = visible(model) or text.models_of(head) or "The model"
    whole = f"all {counted(head.n, head.meaning.counts)}"
    if head.groups:
        whole = f"{whole} ({text.subset(head.groups, labels)})"
    if head.value is None:
        overall = f"{text.lowered(text.title(head))} is undefined: {text.why_undefined(head)}"
    else:
        not_sure = "" if head.significant is None else f", not significant{p_words(head)}"
        value = text.value_with_unit(head)
        if head.name not in {e.name for e in parts[:NAMED]}:
            value = f"{text.lowered(text.title(head))} {value}"
        overall = f"{value}, {_how_sure(head)}{not_sure}"
    named = name_parts(parts, labels, text.lowered(text.title(parts[0])))
    return f"{who}: {named}. Over {whole}: {text.sentence_end(overall)}"


def significant_parts(head: Estimate, estimates: Iterable[Estimate]) -> Sequence[Estimate]:
    """Estimates of subsets that are significant after adjustment, by p, the headline's measure first.

    Left out are costs, and estimates that are no longer significant when clusters of items are considered.
    """
    listed = list(estimates)
    found = [
        e for e in listed
        if e.significant and e.groups and e.groups != head.groups and not e.meaning.variant_of
        and e.meaning.role != "cost" and text.final_p(e) is not None and weaker_variant(e, listed) is None
    ]  # fmt: skip
    return sorted(found, key=lambda e: (e.name != head.name, text.final_p(e) or 0.0))


def name_parts(parts: Sequence[Estimate], labels: text.Labels, first: str) -> str:
    """A clause on which subsets are significant; it names three and begins with the measure `first`."""
    words, measure = f"{first} is significant for ", parts[0].name
    for place, e in enumerate(parts[:NAMED]):
        other = "" if e.name == measure else f"{text.lowered(text.title(e))} for "
        measure = e.name
        value, p = text.value_with_unit(e), text.p_text(text.final_p(e) or 0.0)
        words += f"{', ' if place else ''}{other}{text.subset(e.groups, labels)} ({value}, p = {p})"
    more = f" and {len(parts) - NAMED:,} more" if len(parts) > NAMED else ""
    return f"{words}{more}{after_adjustment(parts)}"


def _apart(estimate: Estimate, models: tuple[str, str], over: str) -> str:
    """A sentence on which of two models has the higher value and by how much."""
    (first, second), value = models, estimate.value or 0.0
    size = text.size_with_unit(abs(value), estimate.unit)
    side = "higher" if value > 0 else "lower"
    equal = f"{first} and {second} have the same value"
    apart = f"{first} is {size} {side} than {second}" if abs(value) > text.RESIDUE else equal
    about = f"{text.lowered(text.title(estimate))}{over}, {_how_sure(estimate)}{_neutral(estimate)}"
    return f"{apart} ({about})."


def also_found(head: Estimate, estimates: Iterable[Estimate]) -> list[str]:
    """Sentences about other measures of the same items, for those that declare one."""
    sentences = []
    for e in estimates:
        other = e.groups == head.groups and e.name != head.name and e.value is not None
        harmless = e.meaning.better == "lower" and not round(e.value or 0, 1)
        if other and e.meaning.sentence and not e.meaning.variant_of and not harmless:
            p = None if e.meaning.magnitude else text.final_p(e)
            tested = "" if p is None else f", p = {text.p_text(p)}"
            bare = (
                e.meaning.magnitude and not text.span(e) and not e.why
            )  # it never has an interval
            sure = "" if bare else f", {_how_sure(e)}"
            sentences.append(f"It {_own_words(e)}{sure}{tested}.")
    return sentences


def by_verdicts(head: Estimate, estimates: Iterable[Estimate]) -> str:
    """A sentence with the headline's number by what people found of the items; "" where nobody judged any."""
    judged = [e for e in estimates if e.name == head.name and [*e.groups] == [AXIS]]
    by_verdict = {e.groups[AXIS]: e for e in judged}
    shown = [
        f"{verdict} (n = {e.n:,}) {text.value_with_unit(e)}{text.in_brackets(e)}"
        for verdict in (VALID, DOUBTFUL, NOT_JUDGED)
        if (e := by_verdict.get(verdict)) is not None
    ]
    return f"By people’s verdicts on the items: {', '.join(shown)}." if shown else ""


def _own_words(estimate: Estimate) -> str:
    """The sentence that the measure declares, filled in with the estimate's numbers; "" where it has none."""
    meaning, value, neutral = estimate.meaning, estimate.value or 0.0, estimate.neutral or 0.0
    below = value < neutral and meaning.sentence_below
    words = Template(meaning.sentence_below if below else meaning.sentence)
    first, second = text.sides(estimate) or ("", "")
    n, counts = counted(estimate.n, meaning.counts).split(" ", 1)
    return words.safe_substitute(
        value=text.with_unit(value, estimate.unit),
        size=text.size_with_unit(abs(value - neutral), estimate.unit),
        n=n, counts=counts, below=first, above=second,
    )  # fmt: skip


def _how_sure(estimate: Estimate) -> str:
    inside = text.span(estimate)
    return f"{text.level(estimate)} interval {inside}" if inside else "without an interval"


def value_with_interval(estimate: Estimate) -> str:
    """The value with its unit and, in brackets, its interval."""
    inside = f" ({_how_sure(estimate)})" if text.span(estimate) else ""
    return f"{text.value_with_unit(estimate)}{inside}"


def _neutral(estimate: Estimate) -> str:
    if estimate.neutral is None or estimate.meaning.magnitude:
        return ""
    be = "would be" if estimate.meaning.neutral_is else "is"
    return f"; {text.neutral_words(estimate)} {be} {text.neutral_text(estimate)}"


def verdict(estimate: Estimate) -> str:
    """A sentence on whether the finding is significant, with its p; "" where it has no neutral value.

    For a magnitude, which is above 0 in any case, it is the note that the estimate has, if any.

    >>> verdict(Estimate("rate", 53.0, 46.0, 60.0, 0.4, 200, 50, "%"))
    'Not significantly different from the neutral value (p = 0.400).'
    """
    if estimate.value is not None and estimate.meaning.magnitude:
        why = visible(estimate.why)
        return text.sentence_end(raised(why)) if why else ""
    if estimate.value is None or estimate.neutral is None:
        return ""
    neutral, significant = text.neutral_words(estimate), estimate.significant
    noun = neutral.removeprefix("no ") if neutral.startswith("no ") else ""
    test = p_words(estimate)
    if significant is None:
        return f"Without an interval or a test, nothing says whether it differs from {neutral}."
    if not significant:
        other = f"Not significantly different from {neutral}"
        return f"{f'No significant {noun}' if noun else other}{test}."
    above, side_names = estimate.value > estimate.neutral, text.sides(estimate)
    if not noun:
        return f"Significantly {'above' if above else 'below'} {neutral}{test}."
    joined = {"preference": "for", "leaning": "towards"}.get(noun)
    towards = f" {joined} the {side_names[above]}" if joined and side_names else ""
    return f"A significant {noun}{towards}{test}."


def p_words(estimate: Estimate) -> str:
    """The final p in brackets, with how it was adjusted; "" where there is none.

    If the interval contradicts p, that is added: a number is significant only by both.

    >>> p_words(Estimate("rate", 60.0, 49.0, 70.0, 0.04, 90, 50, "%"))
    ' (p = 0.0400, but the interval includes 50)'
    """
    p = text.final_p(estimate)
    if p is None:
        return ""
    return f" (p = {text.p_text(p)}{after_adjustment([estimate])}{_interval_apart(estimate)})"


def _interval_apart(estimate: Estimate) -> str:
    """Words that say that the interval contradicts p; "" where both agree.

    The two may rest on different units, such as a test of single cells and an interval over groups, or the
    interval may be simultaneous for several ratios.
    """
    what = interval_against_p(estimate)
    words = {
        "": "",
        "includes": "but the interval includes",
        "excludes": "although the interval excludes",
    }
    return f", {words[what]} {text.neutral_text(estimate)}" if what else ""


def caution(head: Estimate, estimates: Iterable[Estimate], clusters: str = "") -> str:
    """A caution where another interval of the same number is less certain than the headline; otherwise "".

    That interval allows for clusters: items made from one template or by one writer are alike.
    """
    other = weaker_variant(head, (e for e in estimates if not e.name.endswith(LIKE_THESE)))
    if other is None:
        return ""
    made = f"the same {visible(clusters)}" if clusters else "the same source"
    start = (
        f"But {visible(head.meaning.counts)} from {made} are not independent: allowing for that, "
    )
    if other.low is None or other.high is None or other.neutral is None:
        return f"{start}it is not significant{p_words(other)}."
    if other.low <= other.neutral <= other.high:
        return f"{start}the interval is {text.span(other)} and contains {text.neutral_text(other)}."
    return f"{start}the interval is {text.span(other)}, and it is not significant{p_words(other)}."


def overview(
    estimates: Sequence[Estimate],
    model: str = "",
    labels: text.Labels = text.NO_LABELS,
    views: Iterable[View] = (),
) -> str:
    """A sentence for results without a number over all items: how many subsets differ, and which most.

    >>> both = [Estimate("effect_size", value, None, None, p, 16, 0, "", groups={"test": name})
    ...         for name, value, p in (("weat6", 1.2, 0.01), ("weat7", -0.4, 0.3))]
    >>> overview(both, "demo")
    'demo: effect size is significant in 1 of 2 tests (p < .05). The farthest from the neutral value,
    0, is 1.20, of weat6.'
    """
    first = [e for e in estimates if e.name == estimates[0].name] if estimates else []
    known = [e for e in first if e.value is not None]
    who = visible(model) or "The model"
    if not known:
        return f"{who}: no measure covers all items."
    name = text.lowered(text.title(first[0]))
    judged = [e for e in known if e.significant is not None]
    if not judged:
        of, words = counted(len(first), _subsets(first, views)), farthest(known, labels)[1]
        return f"{who}: the largest {name} of {of} is {words}."
    clear = [e for e in judged if shown_significant(e)]
    far, words = farthest(clear or judged, labels)
    same = [
        e
        for e in estimates
        if e.meaning.variant_of == first[0].name and not e.name.endswith(LIKE_THESE)
    ]
    tested = any(text.final_p(e) is not None for e in judged)
    by = f"p < .05{after_adjustment(judged)}" if tested else "by their intervals, without a test"
    more = len(first) - len(judged)
    left = f"; {more:,} more {verb_for(more, 'are')} not tested" if more else ""
    of_these = " of these" if 1 < len(clear) < len(judged) else ""
    return (
        f"{who}: {name} is significant in {len(clear):,} of {counted(len(judged), _subsets(first, views))} "
        f"({by}{left}). The farthest{of_these} from {text.neutral_words(far)}, {text.neutral_text(far)}, is "
        f"{words}.{by_clusters(same)}"
    )


def _subsets(estimates: Sequence[Estimate], views: Iterable[View]) -> str:
    """What the estimates are about, in the plural: "cells" of a matrix, values of one axis, or "subsets"."""
    axes = list(estimates[0].groups)
    if any(isinstance(v, Matrix) and {v.rows, v.columns} == set(axes) for v in views):
        return "cells"
    return f"{text.axis_title(axes[0])}s" if len(axes) == 1 else "subsets"


def farthest(estimates: Sequence[Estimate], labels: text.Labels) -> tuple[Estimate, str]:
    """The estimate farthest from its neutral value, and words with its value, interval and subset.

    One that rests on too few items to say much only counts where all do.
    """
    enough = [e for e in estimates if not few_mark(e)]
    far = max(enough or estimates, key=lambda e: abs((e.value or 0.0) - (e.neutral or 0.0)))
    return far, f"{value_with_interval(far)}, of {text.subset(far.groups, labels, with_axis=False)}"


def by_clusters(variants: Iterable[Estimate]) -> str:
    """A sentence on how many subsets are significant when clusters of items are considered; "" if unknown."""
    verdicts = [e.significant for e in variants if e.significant is not None]
    if not verdicts:
        return ""
    return (
        " But items from one source are not independent: allowing for that, it is significant in "
        f"{sum(verdicts):,} of {len(verdicts):,}."
    )


def after_adjustment(estimates: Iterable[Estimate]) -> str:
    """The words " after Holm’s adjustment" with the method that was used; "" where p was not adjusted."""
    adjusted = next((e for e in estimates if e.p_adjusted is not None), None)
    if adjusted is None:
        return ""
    by_rate = text.SHORT.get(adjusted.adjustment) == "BH"
    return f" after {'Benjamini and Hochberg’s' if by_rate else 'Holm’s'} adjustment"
