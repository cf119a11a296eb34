"""Checks of attention and care: pure functions. They mark answers and never take any out.

The tests of Cao et al. 2022, section 4 (doi:10.18653/v1/2022.naacl-main.92): name the group that was just
rated; a trait just rated high, and one rated low; agreement with oneself of at least 80 % on a repeated
group. How agreement between two positions of a slider is counted is not published. The default here is the
same side of the middle; the rule's name travels with every result.
"""

import math
import statistics
from collections.abc import Mapping, Sequence

from rapidfuzz import fuzz
from rapidfuzz.utils import default_process

from tiltmeter.survey.form import Rule, SurveyItem
from tiltmeter.survey.question import RatingQuestion

TESTS = frozenset({"name_item", "high_trait", "low_trait", "attention", "comprehension"})
"""Checks that a person fails by a wrong answer (`marking.failed_checks`); the others look at all answers."""
ALIKE = 80.0
"""Similarity in percent from which a name counts as given, in spite of typing errors."""
WITHIN = 0.1
"""Share of the scale that two ratings may be apart under "within_10": 10 points of 100."""
FEWEST_VALUES, LEAST_SPREAD = 2, 5.0
"""A page is flat with so few different ratings, or with a smaller standard deviation (of 100 points)."""
TOO_FAST = -3.0
"""Robust z of the logarithm of the time on a page."""
MAD = 1.4826
"""Times the median absolute deviation: the standard deviation of a normal distribution."""
AWAY = 0.5
"""Share of the time on a page spent in another tab."""
FEWEST = 3
"""Sliders on a page, or values, below which there is nothing to see."""


def names_item(given: str, item: SurveyItem) -> bool:
    """Whether a text names an item, in any of its names and languages.

    >>> group = SurveyItem("blind people", {"text": {"en": "blind people", "ru": "незрячие люди"}})
    >>> names_item("Blind  peple", group), names_item("незрячие", group), names_item("veterans", group)
    (True, True, False)
    """
    return any(_alike(given, name) for name in item.names)


def _alike(given: str, name: str) -> bool:
    """Whether a text is a name, or a good part of its words, apart from typing errors."""
    given_words, name_words = default_process(given), default_process(name)
    if not given_words or not name_words:
        return False
    return bool(
        fuzz.ratio(given_words, name_words) >= ALIKE
        or (
            len(given_words) >= len(name_words) / 2
            and fuzz.partial_ratio(given_words, name_words) >= ALIKE
        )
    )


def names_trait(
    given: str, ratings: Mapping[str, float], sliders: Sequence[RatingQuestion], *, high: bool
) -> bool:
    """Whether a text names a trait that was rated high (or low): on its own (the other) side.

    >>> from tiltmeter.survey.questions.slider import SliderQuestion
    >>> warm = SliderQuestion("cold - warm", left={"en": "cold"}, right={"en": "warm"})
    >>> names_trait("warm", {"cold - warm": 90}, [warm], high=True)
    True
    >>> names_trait("cold", {"cold - warm": 90}, [warm], high=True)
    False
    >>> names_trait("cold", {"cold - warm": 90}, [warm], high=False)
    True
    """
    for slider in sliders:
        if slider.name not in ratings:
            continue
        distance = ratings[slider.name] - slider.middle
        for words, towards in ((slider.left, -distance), (slider.right, distance)):
            is_named = any(
                fuzz.ratio(*map(default_process, (given, w))) >= ALIKE for w in words.values()
            )
            if is_named and (towards > 0 if high else towards < 0):
                return True
    return False


def self_agreement(
    first: Mapping[str, float],
    second: Mapping[str, float],
    sliders: Sequence[RatingQuestion],
    rule: Rule = "same_side",
) -> float | None:
    """Agreement of two ratings of one group, from 0 to 1; None where it has no value.

    Only sliders that were answered both times count. "same_side" is the share on the same side of the middle,
    where the middle agrees with itself only, "within_10" the share at most a tenth of the scale apart, and
    "correlation" Pearson's r, from −1 to 1, without a value if either side is constant.

    >>> from tiltmeter.survey.questions.slider import SliderQuestion
    >>> sliders = [SliderQuestion(name) for name in "abcd"]
    >>> first, second = dict(a=10, b=60, c=50, d=90), dict(a=45, b=70, c=50, d=30)
    >>> self_agreement(first, second, sliders), self_agreement(first, second, sliders, "within_10")
    (0.75, 0.5)
    """
    both = [s for s in sliders if s.name in first and s.name in second]
    if not both:
        return None
    pairs = [(first[s.name] - s.middle, second[s.name] - s.middle) for s in both]
    if rule == "same_side":
        return statistics.fmean(_sign(a) == _sign(b) for a, b in pairs)
    if rule == "within_10":
        spans = [s.high - s.low for s in both]
        near = (abs(a - b) <= WITHIN * w for (a, b), w in zip(pairs, spans, strict=True))
        return statistics.fmean(near)
    if len(both) < FEWEST or any(len({p[i] for p in pairs}) == 1 for i in (0, 1)):
        return None
    return statistics.correlation([a for a, _ in pairs], [b for _, b in pairs])


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def percent(ratings: Mapping[str, float], sliders: Sequence[RatingQuestion]) -> list[float]:
    """Ratings on a scale from 0 to 100, in the order of the sliders."""
    return [
        100 * (ratings[s.name] - s.low) / (s.high - s.low) for s in sliders if s.name in ratings
    ]


def flatness(values: Sequence[float]) -> tuple[int, float]:
    """How many different ratings a page has, and their standard deviation (n in the denominator).

    >>> flatness([50, 50, 50, 51])[0]
    2
    """
    return len(set(values)), statistics.pstdev(values) if values else 0.0


def is_flat(values: Sequence[float]) -> bool:
    """Whether a page of sliders was answered in a straight line."""
    different, spread = flatness(values)
    return different <= FEWEST_VALUES or spread < LEAST_SPREAD


def speed(seconds: Sequence[float]) -> list[float | None]:
    """Robust z of the logarithm of each time: distance from the median in units of 1.4826 × MAD.

    None for times that are not positive, and for all where more than half are the same.

    >>> [round(z, 2) for z in speed([1, 10, 100])]
    [-0.67, 0.0, 0.67]
    """
    logs = [math.log(s) for s in seconds if s > 0]
    if len(logs) < FEWEST:
        return [None] * len(seconds)
    middle = statistics.median(logs)
    spread = MAD * statistics.median(abs(log - middle) for log in logs)
    if spread == 0:
        return [None] * len(seconds)
    return [(math.log(s) - middle) / spread if s > 0 else None for s in seconds]
