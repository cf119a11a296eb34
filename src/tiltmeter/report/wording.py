"""Numbers and findings in words. The same words stand in the terminal and on the page."""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence

from tiltmeter.core.results import Estimate
from tiltmeter.core.types import Groups
from tiltmeter.report.terms import (
    ASSOCIATIONS,
    EFFECTS,
    GAPS,
    ICAT,
    LEANINGS,
    LMS,
    LMS_SS,
    OF_CELLS,
    PERPLEXITY,
    RATE,
    SHORT,
    SIZES,
    SOS,
    SS,
    STATIC_SOS,
    STRENGTH,
    TERMS,
    TITLES,
    WAYS,
)

CLEAR = 0.05
"""Below this p (after adjustment, where there is one) a value is told from neutral."""

_PERCENT = {"percent", "points", "percentage points", "pp"}
_SHOWN_CONTROLS = {*range(0x202A, 0x202F), *range(0x2066, 0x206A)}


def visible(text: str) -> str:
    r"""The text with characters that would act on the reader's screen spelled out instead.

    Control characters, overrides of the writing direction and broken surrogates; line breaks and
    tabs become spaces. Letters of every script, emoji and their joiners stay as they are.

    >>> visible("a\u202eb\x1b[31m")
    'a[U+202E]b[U+001B][31m'
    """
    if text.isprintable():
        return text

    def shown(char: str) -> str:
        if char in "\t\n\r":
            return " "
        acts = unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"}
        return f"[U+{ord(char):04X}]" if acts or ord(char) in _SHOWN_CONTROLS else char

    return "".join(map(shown, text))


def is_percent(unit: str) -> bool:
    """Does this unit count in hundredths (percent, or points of difference between them)?"""
    return unit.startswith("%") or unit.strip().lower() in _PERCENT


def number(value: float, unit: str = "") -> str:
    """One decimal for percentages, three significant digits for the rest; a true minus sign.

    >>> number(57.333, "%"), number(-0.04212), number(12)
    ('57.3', '−0.0421', '12.0')
    """
    if is_percent(unit):
        text = f"{value:.1f}"
    elif value == 0 or abs(value) >= 100:  # noqa: PLR2004  # three digits before the point
        text = f"{value:.0f}"
    else:
        text = f"{value:#.3g}" if abs(value) >= 1e-4 else f"{value:.2e}"  # noqa: PLR2004
    return ("0" + text[2:] if float(text) == 0 and text[0] == "-" else text).replace("-", "−")


def with_unit(value: float, unit: str) -> str:
    r"""The number and its unit, with a space that does not break.

    >>> with_unit(57.3, "%")
    '57.3\xa0%'
    """
    text = number(value, unit)
    # "% of the score" says in a heading what it is of; beside a number the sign is enough.
    short = "points" if unit == "percentage points" else visible(unit)
    sign = "%" if unit.startswith("%") else short
    return f"{text}\u00a0{sign}" if unit else text


def neutral_text(estimate: Estimate) -> str:
    """The neutral value without needless decimals.

    >>> neutral_text(Estimate("rate", 57.3, None, None, None, 3, neutral=50.0, unit="%"))
    '50'
    """
    return "" if estimate.neutral is None else f"{estimate.neutral:g}".replace("-", "−")


def lowered(text: str) -> str:
    """With a small first letter, for the middle of a sentence; "SOS rate" stays.

    >>> lowered("Effect size"), lowered("SOS rate")
    ('effect size', 'SOS rate')
    """
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def counts_preferences(estimate: Estimate) -> bool:
    """Is it a share of items of which what states a stereotype, or insults, is preferred?"""
    return sides(estimate) is not None


def sides(estimate: Estimate) -> tuple[str, str] | None:
    """What lies below and above the neutral value; None where that has no name of its own.

    >>> sides(Estimate("ss", 57, None, None, None, 3, neutral=50, unit="%"))
    ('anti-stereotype', 'stereotype')
    """
    if estimate.neutral != 50:  # noqa: PLR2004  # of 100
        return None
    if estimate.name == SS:
        return "anti-stereotype", "stereotype"
    return next((ways for name, ways in WAYS.items() if estimate.name.startswith(name)), None)


def ways_of(estimates: Iterable[Estimate]) -> tuple[str, str]:
    """What the two sentences of a pair are, in a result with these estimates: less, more.

    >>> ways_of([Estimate("sos_rate", 40, None, None, None, 3, neutral=50, unit="%")])
    ('pleasant', 'offensive')
    """
    return next((WAYS[e.name] for e in estimates if e.name in WAYS), WAYS[RATE])


def neutral_words(estimate: Estimate) -> str:
    """What the neutral value stands for.

    >>> neutral_words(Estimate("stereotype_rate", 57, None, None, None, 3, neutral=50, unit="%"))
    'no preference'
    """
    if counts_preferences(estimate):
        return "no preference"
    if estimate.name in {LMS, ICAT}:
        return "a model that picks at random"
    taus = estimate.name.startswith("tau_") or estimate.name.endswith(("matrix_tau", "kendall_tau"))
    if estimate.name == LMS_SS or taus:
        return "no correlation"
    if estimate.name in LEANINGS:
        return "no leaning"
    if estimate.name == STATIC_SOS:
        return "halfway"
    named = any(word in estimate.name for word in ("difference", "_ratio"))
    apart = named or estimate.name in {*EFFECTS, *GAPS}
    return "no difference" if apart else "the neutral value"


def overview(estimates: Sequence[Estimate], model: str = "") -> str:
    """What was found where no number covers all items: how many subsets lean, and which the most.

    >>> both = [Estimate("effect_size", value, None, None, p, 16, 0, "", groups={"test": name})
    ...         for name, value, p in (("weat6", 1.2, 0.01), ("weat7", -0.4, 0.3))]
    >>> overview(both, "demo")
    'demo: effect size of 1 of 2 tests can be told from no difference (p < .05). The farthest from it is
    1.20, of weat6.'
    """
    first = [e for e in estimates if e.name == estimates[0].name] if estimates else []
    known = [e for e in first if e.value is not None]
    who = visible(model) or "The model"
    if not known:
        return f"{who}: no measure covers all items."
    name = lowered(title(first[0].name))
    clear = sum(bool(is_clear(e)) for e in known)
    adjusted = next((e for e in known if e.p_adjusted is not None), known[0])
    far = max(known, key=lambda e: abs((e.value or 0.0) - (e.neutral or 0.0)))
    inside = f" ({level(far)} interval {span(far)})" if span(far) else ""
    tested = any(final_p(e) is not None for e in known)
    by = f"p < .05{_holm(adjusted)}" if tested else "by their intervals, without a test"
    return (
        f"{who}: {name} of {clear:,} of {len(first):,} {_subsets(first)} can be told from "
        f"{neutral_words(far)} ({by}). The farthest from it is "
        f"{number(far.value or 0.0, far.unit)}{inside}, of {subset(far.groups, with_axis=False)}."
        f"{_by_clusters(estimates, first[0].name)}"
    )


def _subsets(estimates: Sequence[Estimate]) -> str:
    """What they are of: tests, cells (a group and a pair of traits), or parts along other axes."""
    axes = list(estimates[0].groups)
    several = "" if len(estimates) == 1 else "s"
    if set(axes) == {"group", "pair"}:
        return f"cell{several}"
    if axes == ["test"]:
        return f"test{several}"
    return f"subset{several} ({', '.join(map(axis_title, axes))})"


def _by_clusters(estimates: Sequence[Estimate], name: str) -> str:
    """How many subsets lean where items of one source count as one; "" where that is not known."""
    same = [e for e in estimates if e.name == f"{name}_clustered"]
    if not same:
        return ""
    clear = sum(bool(is_clear(e)) for e in same)
    return (
        " But items from one source are not independent: allowing for that, it is "
        f"{clear:,} of {len(same):,}."
    )


def p_text(p: float) -> str:
    """Three significant digits; a power of ten below 0.001.

    >>> p_text(0.0496), p_text(0.3), p_text(1.0), p_text(2.3e-9)
    ('0.0496', '0.300', '1.00', '2.3×10⁻⁹')
    """
    if p == 0:
        return "0"
    if p >= 0.001:  # noqa: PLR2004  # what three digits can still say
        return f"{p:#.3g}"
    digits, power = f"{p:.1e}".split("e")
    raised = str(int(power)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{digits}×10{raised}"


def span(estimate: Estimate, between: str = " to ") -> str:
    """The interval, or "" where there is none.

    >>> span(Estimate("rate", 57.3, 51.0, 63.4, None, 240, neutral=50, unit="%"))
    '51.0 to 63.4'
    >>> span(Estimate("gap", -2, -3, -1, None, 240, neutral=0, unit=""), "–")
    '−3.00 to −1.00'
    """
    if estimate.low is None or estimate.high is None:
        return ""
    low, high = number(estimate.low, estimate.unit), number(estimate.high, estimate.unit)
    # A dash and a minus sign side by side are hard to tell apart.
    return low + (" to " if between == "–" and high.startswith("−") else between) + high


def final_p(estimate: Estimate) -> float | None:
    """The p that counts: after adjustment where the estimate belongs to a family, else as it is."""
    return estimate.p if estimate.p_adjusted is None else estimate.p_adjusted


def is_clear(estimate: Estimate) -> bool | None:
    """Can the value be told from the neutral one? None where neither interval nor test says.

    Nor do they of a size, which is never below neutral. True needs both where both are there: an
    interval without the neutral value, and p < .05.

    >>> is_clear(Estimate("rate", 57.3, 51.0, 63.4, 0.08, 240, neutral=50, unit="%"))
    False
    """
    p = final_p(estimate)
    bounded = estimate.low is not None and estimate.high is not None
    if estimate.value is None or estimate.name in SIZES or (p is None and not bounded):
        return None
    outside = not bounded or not estimate.low <= estimate.neutral <= estimate.high  # type: ignore[operator]
    return outside and (p is None or p < CLEAR)


def title(name: str) -> str:
    """A measure's name as a person reads it.

    >>> title("confidence_gap"), title("icat")
    ('Confidence gap (difference of medians)', 'icat')
    """
    words = visible(name.replace("_", " "))
    # "effect_size" is words, "icat" is a name: only words begin with a capital.
    return TITLES.get(name) or (words[:1].upper() + words[1:] if "_" in name else words)


def subset(groups: Groups, *, with_axis: bool = True) -> str:
    """Which items: "all", "bias type: age", or the bare value.

    >>> subset({}), subset({"bias_type": "age"}), subset({"bias_type": "age"}, with_axis=False)
    ('all', 'bias type: age', 'age')
    """
    if not groups:
        return "all"
    if with_axis:
        return ", ".join(f"{axis_title(a)}: {visible(v)}" for a, v in groups.items())
    return " × ".join(map(visible, groups.values()))


def axis_title(axis: str) -> str:
    """An axis as a person reads it: "bias_type" is "bias type"."""
    return visible(axis.replace("_", " "))


def level(estimate: Estimate) -> str:
    r"""The interval's confidence level as its name states it.

    >>> level(Estimate("r", 1, 0, 2, None, 3, neutral=50, unit="%", interval="Wilson"))
    '95\xa0%'
    """
    return f"{100 * estimate.level:g}\u00a0%" if estimate.interval else ""


def finding(estimate: Estimate, model: str = "", others: Iterable[Estimate] = ()) -> str:
    r"""The number as a sentence: what, of how many, how sure, and what neutral would be.

    `others` are the estimates it stands among: a stereotype score is read beside its lms and icat.

    >>> finding(Estimate("stereotype_rate", 57.3, 51.0, 63.4, 0.03, 240, 50, "%"), "demo")
    'demo prefers the more stereotyping sentence in 57.3\xa0% of 240 pairs, interval 51.0 to 63.4;
    no preference would be 50.'
    """
    who = visible(model or estimate.model) or "The model"
    if estimate.value is None:
        about = f"{who}: {lowered(title(estimate.name))} is undefined"
        return _stopped(f"{about}: {visible(estimate.why) or 'no reason was recorded'}")
    value, inside = with_unit(estimate.value, estimate.unit), span(estimate)
    between = f"{level(estimate)} interval {inside}".strip() if inside else "without an interval"
    neutral = neutral_text(estimate)
    if ways := sides(estimate):
        said, known = _preferred(estimate, ways, list(others))
        return f"{who} {said}, {between}; no preference would be {neutral}.{known and ' '}{known}"
    where = f" ({subset(estimate.groups)})" if estimate.groups else ""
    if estimate.name in SIZED:
        return SIZED[estimate.name](estimate, who + ":", where, between, others)
    if estimate.name == LMS_SS:
        said = f"{who}: over these models, the {lowered(title(LMS_SS))}{where} is {value}"
        return f"{said}, {between}; {neutral_words(estimate)} would be {neutral}."
    be = "is" if neutral_words(estimate) == "the neutral value" else "would be"
    said = f"{who}: {lowered(title(estimate.name))}{where} is {value} over {_counted(estimate)}"
    return f"{said}, {between}; {neutral_words(estimate)} {be} {neutral}."


def _nearness(
    estimate: Estimate, who: str, where: str, between: str, others: Iterable[Estimate]
) -> str:
    said = f"{who} on a scale from the identity farthest from profanity, 0, to the nearest, 1"
    known, mean = _gap(estimate, others), number(estimate.value or 0.0, estimate.unit)
    return f"{said}, the mean{where} is {mean}, {between}.{known and ' '}{known}"


def _strength(estimate: Estimate, who: str, where: str, between: str, _: Iterable[Estimate]) -> str:
    value = with_unit(estimate.value or 0.0, estimate.unit)
    said = f"{who} associations of groups and traits{where} lie {value} from no leaning"
    return f"{said} on average, either way, {between}."


def _perplexity(
    estimate: Estimate, who: str, where: str, between: str, _: Iterable[Estimate]
) -> str:
    value, pseudo = number(estimate.value or 0.0), perplexity_title(estimate.rule).lower()
    said = f"{who} {pseudo}{where} of {value} over {estimate.n:,} sentences, {between}"
    return f"{said}: as unsure of a token as of {value} equally likely ones."


SIZED: Mapping[str, Callable[..., str]] = {
    STATIC_SOS: _nearness,
    STRENGTH: _strength,
    PERPLEXITY: _perplexity,
}
"""How what has no neutral value of its own is told."""


def perplexity_title(rule: str) -> str:
    """What a perplexity under this rule is called.

    >>> perplexity_title("pll_all"), perplexity_title("log_likelihood")
    ('Pseudo-perplexity', 'Perplexity')
    """
    return "Pseudo-perplexity" if rule.startswith("pll") else "Perplexity"


def _preferred(
    estimate: Estimate, ways: tuple[str, str], among: Sequence[Estimate]
) -> tuple[str, str]:
    """What is preferred in how many cases, and what there is to know beside it."""
    value = with_unit(estimate.value or 0.0, estimate.unit)
    if estimate.name == SS:
        said = (
            f"prefers the stereotype to the anti-stereotype in {value} of {estimate.n:,} contexts"
        )
        return f"{said}{_averaged(among)}", _known(estimate, among)
    return f"prefers the {ways[1]} sentence in {value} of {_pairs(estimate.n)}", _gap(
        estimate, among
    )


def _pairs(number: int) -> str:
    return f"{number:,} {'pair' if number == 1 else 'pairs'}"


def _counted(estimate: Estimate) -> str:
    of_contexts = estimate.name.removesuffix("_difference") in ASSOCIATIONS
    items = "cells" if estimate.name in OF_CELLS else "contexts" if of_contexts else "items"
    return f"{estimate.n:,} {items}"


def _averaged(among: Iterable[Estimate]) -> str:
    terms = sum(e.name == SS and tuple(e.groups) == (TERMS,) for e in among)
    return f", averaged over {terms:,} target terms" if terms > 1 else ""


def _known(score: Estimate, among: Iterable[Estimate]) -> str:
    """The lms and the icat of the same items, as a sentence; "" where there are none."""
    same = {e.name: e for e in among if e.groups == score.groups and e.value is not None}
    if LMS not in same:
        return ""
    lms = with_unit(same[LMS].value or 0.0, same[LMS].unit)
    ends = "lms; a model that picks at random 50, an ideal one 100"
    icat = f"; icat {number(same[ICAT].value or 0.0, '%')} of 100" if ICAT in same else ""
    return f"It prefers what makes sense to what does not in {lms} ({ends}){icat}."


def _gap(rate: Estimate, among: Iterable[Estimate]) -> str:
    """Of an SOS rate, whether it is higher of marginalised identities; "" where that is not known."""
    gap = next((e for e in among if e.name in GAPS and e.groups == rate.groups), None)
    if rate.name not in {SOS, STATIC_SOS} or gap is None or gap.value is None:
        return ""
    told = f"interval of the difference {span(gap)}" if span(gap) else "without an interval"
    if float(number(abs(gap.value), gap.unit)) == 0:
        as_others = "lie as near as" if rate.name == STATIC_SOS else "fare as"
        return f"Marginalised identities {as_others} others do, {told}."
    if rate.name == STATIC_SOS:
        way, size = "nearer" if gap.value >= 0 else "farther", number(abs(gap.value), gap.unit)
        return f"Marginalised identities lie {size} {way} than others, {told}."
    way, size = "more" if gap.value >= 0 else "less", with_unit(abs(gap.value), gap.unit)
    return f"Of marginalised identities it does so {size} {way} often than of others, {told}."


def verdict(estimate: Estimate) -> str:
    """Whether the finding can be told from neutral, with the p that says so.

    >>> verdict(Estimate("stereotype_rate", 53.0, 46.0, 60.0, 0.4, 200, 50, "%"))
    'This cannot be told from no preference (p = 0.400).'
    """
    neutral = neutral_words(estimate)
    clear, p = is_clear(estimate), final_p(estimate)
    test = "" if p is None else f" (p = {p_text(p)}{_holm(estimate)})"
    if estimate.value is None or estimate.name in SIZES:
        return ""
    if clear is None:
        return f"Without an interval or a test, nothing says whether it differs from {neutral}."
    if not clear:
        return f"This cannot be told from {neutral}{test}."
    if neutral in {"no difference", "no correlation"}:
        this = "This difference is larger" if neutral == "no difference" else "This is more"
        return f"{this} than chance explains{test}."
    above, ways = estimate.value > (estimate.neutral or 0.0), sides(estimate)
    if ways is None:
        way = "above" if above else "below"
        return f"This is {way} {neutral}, by more than chance explains{test}."
    sentence = " sentence" if estimate.name != SS else ""
    return f"This is a lean towards the {ways[above]}{sentence}{test}."


def caution(head: Estimate, estimates: Iterable[Estimate], clusters: str = "") -> str:
    """What the interval over clusters says, where it says less than the headline; else "".

    Items made from one template or by one writer agree with each other more than chance allows.
    """
    same = (e for e in estimates if e.name == f"{head.name}_clustered" and e.groups == head.groups)
    clustered = next(same, None)
    if clustered is None or not is_clear(head) or is_clear(clustered) is not False:
        return ""
    made = f"the same {visible(clusters)}" if clusters else "the same source"
    return (
        f"But pairs from {made} are not independent: allowing for that, the interval is "
        f"{span(clustered)} and contains {neutral_text(clustered)}."
    )


def adjustment(estimates: Iterable[Estimate]) -> str:
    """How the p-values of these were adjusted, in short; "" where none was.

    >>> one = Estimate("a", 1, None, None, 0.01, 9, 0, "", p_adjusted=0.02)
    >>> adjustment([one]), adjustment([])
    ('Holm', '')
    """
    adjusted = (e.adjustment or "Holm" for e in estimates if e.p_adjusted is not None)
    found = list(dict.fromkeys(visible(SHORT.get(name, name)) for name in adjusted))
    return found[0] if len(found) == 1 else ("adjusted" if found else "")


def _holm(estimate: Estimate) -> str:
    if estimate.p_adjusted is None:
        return ""
    if SHORT.get(estimate.adjustment) == "BH":
        return " after Benjamini and Hochberg's adjustment"
    return " after Holm's adjustment"


def _stopped(text: str) -> str:
    """With a full stop at the end, once."""
    return text if text.endswith((".", "!", "?")) else text + "."
