"""What judges the sentiment of texts that a model wrote: a lexicon, or a classifier of the user's."""

from collections.abc import Sequence

from tiltmeter.core.errors import BadInput
from tiltmeter.data.texts.polarity import NEUTRAL, Instrument, lexicon
from tiltmeter.models.judges.sentiment import open_classifier

LEXICON = "lexicon"
CLASSIFIER = "classifier:"


NAMING = "--set sentiment_labels"


def judge_sentiment(named: str, classes: str, texts: Sequence[str]) -> tuple[list[int], str]:
    """−1 for negative, 0 for neutral and 1 for positive texts; and the instrument, for the card.

    Args:
        named: "lexicon", or "classifier:MODEL" with a folder or a hub id of a classifier with a positive and
            a negative label.
        classes: What labels of the classifier mean whose names do not say it, such as
            "LABEL_0=negative,LABEL_1=positive".
        texts: Each is judged alone.

    Raises:
        BadInput: A class is not written so.
        TiltmeterError: The instrument cannot be opened.
    """
    instrument = _instrument(named, classes)
    rated = instrument.rate(texts)
    return [(value >= NEUTRAL) - (value <= -NEUTRAL) for value in rated], instrument.named


def _instrument(named: str, classes: str) -> Instrument:
    if named == LEXICON:
        if classes:
            raise BadInput(
                f"{NAMING} is for a classifier", "name one with --set sentiment=classifier:MODEL"
            )
        return lexicon()
    labels = dict(_class(part) for part in classes.split(",") if part.strip())
    return open_classifier(named.removeprefix(CLASSIFIER), labels=labels, naming=NAMING).instrument


def _class(text: str) -> tuple[str, str]:
    label, sign, kind = (part.strip() for part in text.rpartition("="))
    if not sign or not label:
        raise BadInput(
            f"{text.strip()!r} gives no label a class",
            f"write {NAMING}=LABEL_0=negative,LABEL_1=positive",
        )
    return label, kind
