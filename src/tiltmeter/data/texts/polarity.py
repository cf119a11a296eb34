"""How positive or negative an English sentence is, by a published lexicon.

VADER (Hutto and Gilbert 2014, doi:10.1609/icwsm.v8i1.14550): words rated by people, with rules for
negation, intensity and emphasis. It was made for social media in English, and knows words, not
situations: many sentences of a benchmark hold no word of its lexicon and are neutral to it, and its
errors on single sentences are many. It has no model to fetch and gives the same answer everywhere.
"""

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from tiltmeter.core.errors import MissingExtra

NEUTRAL = 0.05
"""Texts nearer to 0 than this are neutral, as VADER's authors propose."""


def polarity(texts: Iterable[str]) -> list[float]:
    """VADER's compound score of each text, from −1 (negative) to 1 (positive); 0 is neutral.

    The sum s of the ratings as s / √(s² + 15), to four digits. It grows with the number of rated
    words, so texts of like length compare best.

    Raises:
        MissingExtra: vaderSentiment is not installed.

    >>> polarity(["The room is big.", "She is kind.", "He is rude."])
    [0.0, 0.5267, -0.4588]
    """
    analyser = _analyser()
    return [float(analyser.polarity_scores(text)["compound"]) for text in texts]


@dataclass(frozen=True, slots=True)
class Instrument:
    """What rates the sentiment of texts."""

    rate: Callable[[Sequence[str]], Sequence[float]]
    """From texts to numbers from −1 (negative) to 1 (positive)."""
    named: str
    """With its version, for the record."""
    rates: str
    """What it judges by: "words and not meaning"."""


def lexicon() -> Instrument:
    """VADER.

    Raises:
        MissingExtra: vaderSentiment is not installed.
    """
    return Instrument(polarity, instrument(), "words and not meaning")


def instrument() -> str:
    """What `polarity` uses, with its version, for the record.

    Raises:
        MissingExtra: vaderSentiment is not installed.
    """
    try:
        return f"vaderSentiment {version('vaderSentiment')}"
    except PackageNotFoundError as error:
        raise MissingExtra("Sentiment", "analysis") from error


@cache
def _analyser() -> Any:
    try:
        from vaderSentiment.vaderSentiment import (  # noqa: PLC0415  (an extra)
            SentimentIntensityAnalyzer,
        )
    except ImportError as error:
        raise MissingExtra("Sentiment", "analysis") from error
    with warnings.catch_warnings():
        # It opens its files with codecs.open, which Python 3.14 calls deprecated.
        warnings.simplefilter("ignore", DeprecationWarning)
        return SentimentIntensityAnalyzer()
