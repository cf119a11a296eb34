"""How positive or negative a text is, by a published lexicon.

VADER (Hutto and Gilbert 2014, doi:10.1609/icwsm.v8i1.14550): words rated by people, with rules for
negation, intensity and emphasis. It was made for social media in English, and knows words, not
situations: most sentences of a benchmark hold no word of its lexicon and are neutral to it.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from tiltmeter.core.errors import MissingExtra

NEUTRAL = 0.05
"""Texts nearer to 0 than this are neutral, as VADER's authors propose."""


def polarity(texts: Sequence[str]) -> list[float]:
    """VADER's compound score of each text, from −1 (negative) to 1 (positive); 0 is neutral.

    Raises:
        MissingExtra: vaderSentiment is not installed.
    """
    analyser = _analyser()
    return [float(analyser.polarity_scores(text)["compound"]) for text in texts]


@cache
def _analyser() -> Any:
    try:
        from vaderSentiment.vaderSentiment import (  # noqa: PLC0415  (an extra)
            SentimentIntensityAnalyzer,
        )
    except ImportError as error:
        raise MissingExtra("Sentiment", "analysis") from error
    return SentimentIntensityAnalyzer()
