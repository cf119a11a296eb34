"""What judges the sentiment of texts that a model wrote: a lexicon, or a classifier of the user's."""

from collections.abc import Sequence

from tiltmeter.data.polarity import NEUTRAL, Instrument, lexicon
from tiltmeter.models._sentiment import open_classifier

LEXICON = "lexicon"
CLASSIFIER = "classifier:"


def judge_sentiment(named: str, texts: Sequence[str]) -> tuple[list[int], str]:
    """−1 for negative, 0 for neutral and 1 for positive texts; and the instrument, for the card.

    Args:
        named: "lexicon", or "classifier:MODEL" with a folder or a hub id of a classifier with a positive and
            a negative label.
        texts: Each is judged alone.

    Raises:
        TiltmeterError: The instrument cannot be opened.
    """
    found = _instrument(named)
    rated = found.rate(texts)
    return [(value >= NEUTRAL) - (value <= -NEUTRAL) for value in rated], found.named


def _instrument(named: str) -> Instrument:
    if named == LEXICON:
        return lexicon()
    return open_classifier(named.removeprefix(CLASSIFIER)).instrument
