"""The sentiment of English sentences by a published lexicon.

VADER (Hutto and Gilbert 2014, doi:10.1609/icwsm.v8i1.14550) has words rated by people, and rules for
negation, intensity and emphasis. It was made for English social media and knows words, not situations: many
sentences of a benchmark contain no word of its lexicon and so are neutral to it, and it is often wrong about
single sentences. It needs no model and gives the same answer everywhere.
"""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, ClassVar

from tiltmeter.core.errors import BadInput, MissingExtra, extra
from tiltmeter.core.judges import SENTIMENTS, sentiments_of


@dataclass(frozen=True, slots=True)
class Lexicon:
    """VADER as a judge of sentiment.

    >>> open_judge().rate(["The room is big.", "She is kind.", "He is rude."])
    [0.0, 0.5267, -0.4588]
    """

    instrument: str
    reads: ClassVar[str] = "words and not meaning"
    classes: ClassVar[Sequence[str]] = SENTIMENTS

    def rate(self, texts: Sequence[str]) -> list[float]:
        """VADER's compound score of each text, from −1 (negative) to 1 (positive); 0 is neutral.

        The score is s / √(s² + 15) for the sum s of the ratings, to four digits. It grows with the number of
        rated words, so it is best compared between texts of similar length.

        Raises:
            MissingExtra: vaderSentiment is not installed.
        """
        analyser = _analyser()
        return [float(analyser.polarity_scores(text)["compound"]) for text in texts]

    def classify(self, texts: Sequence[str]) -> list[str]:
        """The sentiment of each text, one of `classes`."""
        return sentiments_of(self.rate(texts))


def open_judge(
    location: str = "",
    *,
    labels: Mapping[str, str] | None = None,
    naming: str = "",
    **opening: object,
) -> Lexicon:
    """The lexicon as a judge; it takes neither a location nor labels, and nothing is loaded.

    Raises:
        BadInput: A location or labels are given.
        MissingExtra: vaderSentiment is not installed.
    """
    del opening
    if location or labels:
        reason = f"{location or naming} is for a classifier, and the judge is the lexicon"
        raise BadInput(reason, "name the judge classifier:MODEL")
    try:
        return Lexicon(f"vaderSentiment {version('vaderSentiment')}")
    except PackageNotFoundError as error:
        raise MissingExtra("Sentiment", "analysis") from error


@cache
def _analyser() -> Any:
    with extra("Sentiment", "analysis"):
        from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer
    with warnings.catch_warnings():
        # It opens its files with codecs.open, which Python 3.14 calls deprecated.
        warnings.simplefilter("ignore", DeprecationWarning)
        return SentimentIntensityAnalyzer()
