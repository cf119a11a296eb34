"""Numbers and names as a person reads them."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Protocol

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Result
from tiltmeter.core.text import visible
from tiltmeter.core.types import Groups
from tiltmeter.report.few_items import few_mark

SHORT = {"Holm": "Holm", "Benjamini–Hochberg": "BH"}
"""Adjustments of p by their short names."""
Labels = Mapping[str, Mapping[str, str]]
"""Plain names of subsets, by axis and value: as a card has them."""
NO_LABELS: Labels = {}


class Interval(Protocol):
    """What has two ends, or None where they are not known."""

    @property
    def low(self) -> float | None:
        """The lower end, in the unit of the value."""

    @property
    def high(self) -> float | None:
        """The upper end; None also where there is no limit."""


_PERCENT = {"percent", "points", "percentage points", "pp"}


def is_percent(unit: str) -> bool:
    """Does this unit count in hundredths (percent, or points of difference between them)?"""
    return unit.startswith("%") or unit.strip().lower() in _PERCENT


def number(value: float, unit: str = "") -> str:
    """One decimal for percentages, three significant digits for the rest; a true minus sign.

    A value below 1 never reads as 1: a correlation of 0.9996 is not a perfect one.

    >>> number(57.333, "%"), number(-0.04212), number(12), number(0.9996)
    ('57.3', '−0.0421', '12.0', '0.9996')
    """
    if is_percent(unit):
        text = f"{value:.1f}"
    elif 0.999 < abs(value) < 1:  # noqa: PLR2004  # what three digits may round to 1
        text = _short_of_one(value, 3)
    elif value == 0 or abs(value) >= 100:  # noqa: PLR2004  # three digits before the point
        text = f"{value:.0f}"
    else:
        text = f"{value:#.3g}" if abs(value) >= 1e-4 else f"{value:.2e}"  # noqa: PLR2004
    return ("0" + text[2:] if float(text) == 0 and text[0] == "-" else text).replace("-", "−")


def correlation(value: float) -> str:
    """Two decimals: more says nothing of a correlation, unless it is just short of 1 or −1.

    >>> correlation(-0.204), correlation(-0.001), correlation(-0.996), correlation(1)
    ('−0.20', '0.00', '−0.996', '1.00')
    """
    return _short_of_one(value, 2).replace("-", "−")


def _short_of_one(value: float, decimals: int) -> str:
    """So many decimals, and more as long as they round a value between −1 and 1 to either."""
    shown = (f"{value:z.{d}f}" for d in range(decimals, 7))
    exact = f"{value:z.{decimals}f}"
    return exact if abs(value) >= 1 else next((s for s in shown if abs(float(s)) < 1), exact)


def number_of(estimate: Estimate, value: float) -> str:
    """A value of an estimate, or an end of its interval, with the decimals that its meaning asks for.

    >>> from tiltmeter.core.results import Meaning
    >>> number_of(Estimate("tau", 0.5, None, None, None, 9, 0, "", meaning=Meaning(decimals=2)), -0.204)
    '−0.20'
    """
    return with_decimals(value, estimate.meaning.decimals, estimate.unit)


def with_decimals(value: float, decimals: int | None, unit: str = "") -> str:
    """So many decimals, of two those of correlations; None goes by the unit."""
    if decimals is None:
        return number(value, unit)
    return correlation(value) if decimals == 2 else fixed(value, decimals)  # noqa: PLR2004


def fixed(value: float, decimals: int) -> str:
    """So many decimals, a comma after thousands, a true minus sign."""
    return f"{value:z,.{decimals}f}".replace("-", "−")


def short_unit(unit: str) -> str:
    """The unit beside a number; a heading has the whole of it.

    >>> short_unit("% of the score"), short_unit("percentage points")
    ('%', 'points')
    """
    if unit.startswith("%"):
        return "%"
    return "points" if unit == "percentage points" else visible(unit)


def with_unit(value: float, unit: str) -> str:
    r"""The number and its unit, with a space that does not break.

    >>> with_unit(57.3, "%")
    '57.3\xa0%'
    """
    text = number(value, unit)
    return f"{text}\u00a0{short_unit(unit)}" if unit else text


def value_text(estimate: Estimate) -> str:
    """The value without its unit, which a heading has, marked where it rests on few items."""
    if estimate.value is None:
        return "undefined"
    return bounded(estimate.bound, number_of(estimate, estimate.value)) + few_mark(estimate)


def bounded(bound: str, text: str) -> str:
    """A number, marked where it is only a bound of the true one."""
    return f"{bound}\u00a0{text}" if bound else text


def value_with_unit(estimate: Estimate) -> str:
    r"""The value with its unit.

    >>> value_with_unit(Estimate("ratio", 1.283, 1.1, None, None, 20, 1, "", bound=">"))
    '>\xa01.28'
    """
    if estimate.value is None:
        return "undefined"
    text, unit = bounded(estimate.bound, number_of(estimate, estimate.value)), estimate.unit
    return f"{text}\u00a0{short_unit(unit)}" if unit else text


def change_text(estimate: Estimate) -> str:
    r"""A change with its sign: a ratio as the percentage by which it differs from 1.

    >>> ratio = Estimate("r", 1.105, None, None, None, 9, 1.0, "times")
    >>> change_text(ratio), change_text(Estimate("d", -0.5, None, None, None, 9, 0.0, "%"))
    ('+10.5\xa0%', '−0.5')
    """
    if estimate.value is None:
        return "undefined"
    percent = "\u00a0%" if _is_ratio(estimate) else ""
    return _signed(estimate, estimate.value) + percent + few_mark(estimate)


def change_span(estimate: Interval) -> str:
    """The interval of a change, in the same way; "" where there is none."""
    if not isinstance(estimate, Estimate):
        return span(estimate)
    return span(estimate, show=partial(_signed, estimate))


def _is_ratio(estimate: Estimate) -> bool:
    return estimate.neutral == 1


def _signed(estimate: Estimate, value: float) -> str:
    text = number(100 * (value - 1), "%") if _is_ratio(estimate) else number_of(estimate, value)
    zero = not any(digit in text for digit in "123456789")
    return text if zero or text.startswith("−") else f"+{text}"


def neutral_text(estimate: Estimate) -> str:
    """The neutral value without needless decimals; "" where there is none.

    >>> neutral_text(Estimate("rate", 57.3, None, None, None, 3, neutral=50.0, unit="%"))
    '50'
    """
    return "" if estimate.neutral is None else f"{estimate.neutral:g}".replace("-", "−")


def neutral_words(estimate: Estimate) -> str:
    """What the neutral value stands for."""
    return visible(estimate.meaning.neutral_is) or "the neutral value"


def compared(estimate: Estimate) -> tuple[str, str] | None:
    """The two models of which this is a difference, the first less the second; None for other numbers."""
    first, minus, second = visible(estimate.model).partition(" − ")
    return (first, second) if minus and estimate.meaning.difference_of else None


def sides(estimate: Estimate) -> tuple[str, str] | None:
    """What lies below and above the neutral value; None where that has no names."""
    names = estimate.meaning.sides
    if names is None and estimate.neutral == 0 and (models := compared(estimate)):
        return f"{models[1]} higher", f"{models[0]} higher"
    return None if names is None else (visible(names[0]), visible(names[1]))


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


def span(estimate: Interval, show: Callable[[float], str] | None = None) -> str:
    """The interval, or "" where there is none; one without an upper limit is "1.10 or more".

    `show` makes text of a number; None does it by the estimate's unit.

    >>> span(Estimate("rate", 57.3, 51.0, 63.4, None, 240, neutral=50, unit="%"))
    '51.0 to 63.4'
    >>> span(Estimate("ratio", 1.3, 1.1, None, None, 20, neutral=1, unit=""))
    '1.10 or more'
    """
    if estimate.low is None:
        return ""
    if show is None:
        show = partial(number_of, estimate) if isinstance(estimate, Estimate) else number
    low = show(estimate.low)
    if estimate.high is None:
        return f"{low} or more"
    return f"{low} to {show(estimate.high)}"


def in_brackets(estimate: Interval, show: Callable[[float], str] | None = None) -> str:
    """The interval behind its value: " (51.0 to 63.4)"; "" where there is none."""
    inside = span(estimate, show)
    return f" ({inside})" if inside else ""


def level(estimate: Estimate) -> str:
    r"""The confidence level of the interval, as in "95 % interval".

    >>> level(Estimate("r", 1, 0, 2, None, 3, neutral=50, unit="%"))
    '95\xa0%'
    """
    return f"{100 * estimate.level:g}\u00a0%"


def interval_name(estimate: Estimate) -> str:
    """Which interval, with its level: "Wilson, 95 %"; "" where there is none."""
    names = [visible(estimate.interval), level(estimate)] if estimate.interval else []
    return ", ".join(part for part in names if part)


def final_p(estimate: Estimate) -> float | None:
    """The p that counts: after adjustment where the estimate belongs to a family, else as it is."""
    return estimate.p if estimate.p_adjusted is None else estimate.p_adjusted


def adjustment(estimates: Iterable[Estimate]) -> str:
    """How the p-values of these were adjusted, in short; "" where none was.

    >>> one = Estimate("a", 1, None, None, 0.01, 9, 0, "", p_adjusted=0.02)
    >>> adjustment([one]), adjustment([])
    ('Holm', '')
    """
    adjusted = (e.adjustment or "Holm" for e in estimates if e.p_adjusted is not None)
    names = list(dict.fromkeys(visible(SHORT.get(name, name)) for name in adjusted))
    return names[0] if len(names) == 1 else ("adjusted" if names else "")


def name_of(result: Result) -> str:
    """The name of the result's model."""
    return str(result.card.model.get("name", "")) or "the model"


def title(estimate: Estimate) -> str:
    """The measure as a person reads it: its title, or its name in words.

    >>> title(Estimate("mean_margin", 1, None, None, None, 3, neutral=0, unit="nats"))
    'Mean margin'
    """
    words = visible(estimate.meaning.title or estimate.name.replace("_", " "))
    return words[:1].upper() + words[1:] if "_" in estimate.name else words


def short_title(estimate: Estimate) -> str:
    """The measure for the head of a narrow column."""
    return visible(estimate.meaning.short) or title(estimate)


def lowered(text: str) -> str:
    """With a small first letter, for the middle of a sentence; "SOS rate" stays.

    >>> lowered("Effect size"), lowered("SOS rate")
    ('effect size', 'SOS rate')
    """
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def anchor(text: str) -> str:
    """The text as a part of an anchor or of a file's name.

    >>> anchor("Bias type: <age>"), anchor("../é")
    ('bias-type-age', 'x')
    """
    return re.sub(r"[^a-z0-9_]+", "-", text.lower()).strip("-") or "x"


def axis_title(axis: str) -> str:
    """An axis as a person reads it: "bias_type" is "bias type"."""
    return visible(axis.replace("_", " "))


def label(axis: str, value: str, labels: Labels = NO_LABELS) -> str:
    """One value of an axis by its plain name, where it has one."""
    return visible(labels.get(axis, {}).get(value, value))


def subset(groups: Groups, labels: Labels = NO_LABELS, *, with_axis: bool = True) -> str:
    """Which items: "all", "bias type: age", or the bare value.

    >>> subset({}), subset({"bias_type": "age"}), subset({"bias_type": "age"}, with_axis=False)
    ('all', 'bias type: age', 'age')
    """
    if not groups:
        return "all"
    if with_axis:
        return ", ".join(f"{axis_title(a)}: {label(a, v, labels)}" for a, v in groups.items())
    return " × ".join(label(a, v, labels) for a, v in groups.items())


def raised(text: str) -> str:
    """With a capital first letter; the others stay as they are."""
    return text[:1].upper() + text[1:]


def sentence_end(text: str) -> str:
    """With a full stop at the end, once."""
    return text if text.endswith((".", "!", "?")) else text + "."


def why_undefined(estimate: Estimate) -> str:
    """Why there is no value."""
    return visible(estimate.why) or "no reason was recorded"
