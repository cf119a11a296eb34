"""Formats numbers and names for readers."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Protocol

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Result
from tiltmeter.core.text import raised, singular, visible
from tiltmeter.core.types import Groups
from tiltmeter.report.value_marks import value_mark

SHORT = {"Holm": "Holm", "Benjamini–Hochberg": "BH", "Benjamini–Yekutieli": "BY"}
"""Short names of methods that adjust p."""
Labels = Mapping[str, Mapping[str, str]]
"""Names of subsets for readers, by axis and value, as a card has them."""
NO_LABELS: Labels = {}


class Interval(Protocol):
    """Anything with the two ends of an interval, which are None where they are not known."""

    @property
    def low(self) -> float | None:
        """The lower end, in the unit of the value."""

    @property
    def high(self) -> float | None:
        """The upper end; None also means that the interval has no upper limit."""


RESIDUE = 1e-15
"""What is smaller in size is a rounding error of floating-point arithmetic, not a value."""
_PERCENT = {"percent", "points", "percentage points", "pp"}


def is_percent(unit: str) -> bool:
    """Whether the unit is percent, or percentage points of a difference."""
    return unit.startswith("%") or unit.strip().lower() in _PERCENT


def number(value: float, unit: str = "") -> str:
    """A number with one decimal for percentages, otherwise three significant digits, and a true minus sign.

    A value below 1 never reads as 1, since a correlation of 0.9996 is not a perfect one, and the residue of
    floating-point arithmetic reads as 0.

    >>> number(57.333, "%"), number(-0.04212), number(12), number(0.9996), number(0.1 + 0.2 - 0.3)
    ('57.3', '−0.0421', '12.0', '0.9996', '0')
    """
    value = 0.0 if abs(value) < RESIDUE else value
    if is_percent(unit):
        text = f"{value:.1f}"
    elif 0.999 < abs(value) < 1:  # noqa: PLR2004  # what three digits may round to 1
        text = _short_of_one(value, 3)
    elif value == 0 or abs(value) >= 100:  # noqa: PLR2004  # three digits before the point
        text = f"{value:.0f}"
    else:
        text = f"{value:#.3g}" if abs(value) >= 1e-4 else f"{value:.2e}"  # noqa: PLR2004
    # A negative number that rounds to 0 has no sign.
    return ("0" + text[2:] if float(text) == 0 and text[0] == "-" else text).replace("-", "−")


def correlation(value: float) -> str:
    """A correlation with two decimals, or as many as it takes not to read as 1 or −1 if it is just short.

    >>> correlation(-0.204), correlation(-0.001), correlation(-0.996), correlation(1)
    ('−0.20', '0.00', '−0.996', '1.00')
    """
    return _short_of_one(value, 2).replace("-", "−")


def _short_of_one(value: float, decimals: int) -> str:
    """A number with `decimals` decimals, or more while these would round a value below 1 in size to ±1."""
    shown = (f"{value:z.{d}f}" for d in range(decimals, 7))
    exact = f"{value:z.{decimals}f}"
    return exact if abs(value) >= 1 else next((s for s in shown if abs(float(s)) < 1), exact)


def range_of_counts(counts: Sequence[int]) -> str:
    """Counts as one text: the one that all share, or the lowest and the highest; "" for none.

    >>> range_of_counts([1200, 1200]), range_of_counts([7, 1200]), range_of_counts([])
    ('1,200', '7–1,200', '')
    """
    ends = sorted({min(counts), max(counts)}) if counts else []
    return "–".join(f"{end:,}" for end in ends)


def number_of(estimate: Estimate, value: float) -> str:
    """A value of an estimate, or an end of its interval, with the decimals that the measure declares.

    >>> from tiltmeter.core.results import Meaning
    >>> number_of(Estimate("tau", 0.5, None, None, None, 9, 0, "", meaning=Meaning(decimals=2)), -0.204)
    '−0.20'
    """
    return with_decimals(value, estimate.meaning.decimals, estimate.unit)


def with_decimals(value: float, decimals: int | None, unit: str = "") -> str:
    """A number with `decimals` decimals; 2 formats it as a correlation, None decides by the unit."""
    if decimals is None:
        return number(value, unit)
    return correlation(value) if decimals == 2 else fixed(value, decimals)  # noqa: PLR2004


def fixed(value: float, decimals: int) -> str:
    """A number with exactly `decimals` decimals, commas between thousands and a true minus sign."""
    return f"{value:z,.{decimals}f}".replace("-", "−")


def short_unit(unit: str) -> str:
    """The short form of a unit that goes beside a number; a heading has the long one.

    >>> short_unit("% of the score"), short_unit("percentage points")
    ('%', 'points')
    """
    if unit.startswith("%"):
        return "%"
    return "points" if unit == "percentage points" else visible(unit)


def with_unit(value: float, unit: str) -> str:
    r"""The number and its short unit, with a no-break space between them.

    >>> with_unit(57.3, "%")
    '57.3\xa0%'
    """
    text = number(value, unit)
    return _joined(text, unit)


def _joined(text: str, unit: str) -> str:
    """A number as text with its unit, whose noun is in the singular after a whole 1: "1 reply"."""
    short = singular(short_unit(unit)) if text == "1" else short_unit(unit)
    return f"{text}\u00a0{short}" if unit else text


def size_with_unit(size: float, unit: str) -> str:
    r"""The size of a difference in a sentence: one above 0 is never given as "0.0 points".

    >>> size_with_unit(2.31, "points"), size_with_unit(0.004, "points")
    ('2.3\xa0points', 'less than 0.1\xa0points')
    """
    lost = size > RESIDUE and is_percent(unit) and float(number(size, unit)) == 0
    return f"less than {with_unit(0.1, unit)}" if lost else with_unit(size, unit)


def value_text(estimate: Estimate) -> str:
    """The value without its unit, which the heading has, with its mark (`value_mark`) where it has one."""
    return bare_value(estimate) + value_mark(estimate)


def bare_value(estimate: Estimate) -> str:
    """The value without its unit and mark, for sentences, which have no notes."""
    if estimate.value is None:
        return "undefined"
    return bounded(estimate.bound, number_of(estimate, estimate.value))


def bounded(bound: str, text: str) -> str:
    """A number with ">" or "<" before it if it is only a bound of the true value, otherwise as it is."""
    return f"{bound}\u00a0{text}" if bound else text


def value_with_unit(estimate: Estimate) -> str:
    r"""The value with its unit.

    >>> value_with_unit(Estimate("ratio", 1.283, 1.1, None, None, 20, 1, "", bound=">"))
    '>\xa01.28'
    """
    if estimate.value is None:
        return "undefined"
    return _joined(bounded(estimate.bound, number_of(estimate, estimate.value)), estimate.unit)


def change_text(estimate: Estimate) -> str:
    r"""A change with its sign; a ratio is given as the percentage by which it differs from 1.

    >>> ratio = Estimate("r", 1.105, None, None, None, 9, 1.0, "times")
    >>> change_text(ratio), change_text(Estimate("d", -0.5, None, None, None, 9, 0.0, "%"))
    ('+10.5\xa0%', '−0.5')
    """
    if estimate.value is None:
        return "undefined"
    percent = "\u00a0%" if is_ratio(estimate) else ""
    return _signed(estimate, estimate.value) + percent + value_mark(estimate)


def change_with_unit(estimate: Estimate) -> str:
    r"""A change with its sign, and with its unit where that is percentage points.

    >>> change_with_unit(Estimate("d", -0.5, None, None, None, 9, 0.0, "percentage points"))
    '−0.5\xa0points'
    """
    points = "\u00a0points" if estimate.unit == "percentage points" else ""
    return f"{change_text(estimate)}{points}"


def change_span(estimate: Interval) -> str:
    """The interval of a change, formatted like `change_text`; "" where there is none."""
    if not isinstance(estimate, Estimate):
        return span(estimate)
    return span(estimate, show=partial(_signed, estimate))


def is_ratio(estimate: Estimate) -> bool:
    """Whether an estimate is a ratio of two values, 1 where these are equal."""
    return estimate.neutral == 1


def _signed(estimate: Estimate, value: float) -> str:
    text = number(100 * (value - 1), "%") if is_ratio(estimate) else number_of(estimate, value)
    zero = not any(digit in text for digit in "123456789")
    return text if zero or text.startswith("−") else f"+{text}"


def neutral_text(estimate: Estimate) -> str:
    """The neutral value without unnecessary decimals; "" where there is none.

    >>> neutral_text(Estimate("rate", 57.3, None, None, None, 3, neutral=50.0, unit="%"))
    '50'
    """
    return "" if estimate.neutral is None else f"{estimate.neutral:g}".replace("-", "−")


def neutral_words(estimate: Estimate) -> str:
    """What the neutral value means, such as "no preference", in the measure's words."""
    return visible(estimate.meaning.neutral_is) or "the neutral value"


def compared(estimate: Estimate) -> tuple[str, str] | None:
    """The two models whose difference (first less second) or ratio the estimate is; None for others."""
    names = re.split(" [−÷] ", visible(estimate.model), maxsplit=1)
    return (names[0], names[1]) if names[1:] and estimate.meaning.difference_of else None


def models_of(estimate: Estimate) -> str:
    """The model of an estimate; of a comparison both, with the sign of what was done to their values.

    >>> from tiltmeter.core.estimates import Meaning
    >>> of = Meaning("Ratio", difference_of="perplexity")
    >>> models_of(Estimate("r", 1.2, None, None, None, 9, 1.0, "", model="a − b", meaning=of))
    'a ÷ b'
    """
    models = compared(estimate)
    return " ÷ ".join(models) if models and is_ratio(estimate) else visible(estimate.model)


def sides(estimate: Estimate) -> tuple[str, str] | None:
    """The names of the sides below and above the neutral value; None where they have none."""
    names = estimate.meaning.sides
    if names is None and estimate.neutral == 0 and (models := compared(estimate)):
        return f"{models[1]} higher", f"{models[0]} higher"
    return None if names is None else (visible(names[0]), visible(names[1]))


def p_text(p: float) -> str:
    """A p-value with three significant digits; below 0.001 with two and a power of ten.

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
    """The interval in words, such as "51.0 to 63.4" or, without an upper limit, "1.10 or more"; "" for none.

    `show` formats a number; with None, the estimate's unit and measure decide.

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
    """The interval in brackets, to follow its value: " (51.0 to 63.4)"; "" where there is none."""
    inside = span(estimate, show)
    return f" ({inside})" if inside else ""


def level(estimate: Estimate) -> str:
    r"""The confidence level of the interval as a percentage.

    >>> level(Estimate("r", 1, 0, 2, None, 3, neutral=50, unit="%"))
    '95\xa0%'
    """
    return f"{100 * estimate.level:g}\u00a0%"


def interval_name(estimate: Estimate) -> str:
    """The method of the interval with its level: "Wilson, 95 %"; "" where there is none."""
    names = [visible(estimate.interval), level(estimate)] if estimate.interval else []
    return ", ".join(part for part in names if part)


def final_p(estimate: Estimate) -> float | None:
    """The p that decides: the adjusted one where the estimate belongs to a family, otherwise p itself."""
    return estimate.p if estimate.p_adjusted is None else estimate.p_adjusted


def adjustment(estimates: Iterable[Estimate]) -> str:
    """The short name of how these p-values were adjusted, "adjusted" if in several ways; "" if none was.

    >>> one = Estimate("a", 1, None, None, 0.01, 9, 0, "", p_adjusted=0.02)
    >>> adjustment([one]), adjustment([])
    ('Holm', '')
    """
    adjusted = (e.adjustment or "Holm" for e in estimates if e.p_adjusted is not None)
    names = list(dict.fromkeys(visible(SHORT.get(name, name)) for name in adjusted))
    return names[0] if len(names) == 1 else ("adjusted" if names else "")


def name_of(result: Result) -> str:
    """The name of the result's model, or "the model"."""
    return str(result.card.model.get("name", "")) or "the model"


def title(estimate: Estimate) -> str:
    """The measure's title for readers, or its name in words where it has none.

    >>> title(Estimate("mean_margin", 1, None, None, None, 3, neutral=0, unit="nats"))
    'Mean margin'
    """
    words = visible(estimate.meaning.title or estimate.name.replace("_", " "))
    return raised(words) if "_" in estimate.name else words


def short_title(estimate: Estimate) -> str:
    """The measure's short title, for the heads of narrow columns; its title where it has none."""
    return visible(estimate.meaning.short) or title(estimate)


def lowered(text: str) -> str:
    """The text with a lower-case first letter, for the middle of a sentence; abbreviations are kept.

    >>> lowered("Effect size"), lowered("SOS rate")
    ('effect size', 'SOS rate')
    """
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def anchor(text: str) -> str:
    """The text in a form that can be part of an anchor or a file name; "x" if nothing is left of it.

    >>> anchor("Bias type: <age>"), anchor("../é")
    ('bias-type-age', 'x')
    """
    return re.sub(r"[^a-z0-9_]+", "-", text.lower()).strip("-") or "x"


def axis_title(axis: str) -> str:
    """The name of an axis for readers: "bias type" for "bias_type"."""
    return visible(axis.replace("_", " "))


def label(axis: str, value: str, labels: Labels = NO_LABELS) -> str:
    """The name for readers of one value of an axis, or the value itself where it has none."""
    return visible(labels.get(axis, {}).get(value, value))


def subset(groups: Groups, labels: Labels = NO_LABELS, *, with_axis: bool = True) -> str:
    """A subset in words: "all", "bias type: age", or the bare values without `with_axis`.

    >>> subset({}), subset({"bias_type": "age"}), subset({"bias_type": "age"}, with_axis=False)
    ('all', 'bias type: age', 'age')
    """
    if not groups:
        return "all"
    if with_axis:
        return ", ".join(f"{axis_title(a)}: {label(a, v, labels)}" for a, v in groups.items())
    return " × ".join(label(a, v, labels) for a, v in groups.items())


def sentence_end(text: str) -> str:
    """The text with a full stop at its end, unless it already ends in ".", "!" or "?"."""
    return text if text.endswith((".", "!", "?")) else text + "."


def why_undefined(estimate: Estimate) -> str:
    """Why an estimate has no value, in words."""
    return visible(estimate.why) or "no reason was recorded"
