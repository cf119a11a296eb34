"""Judges of written texts: of their sentiment, toxicity, regard, or whatever its classes say.

A judge is chosen by name: `lexicon`, `classifier:MODEL`, `words:FILE`, `model:MODEL`, `people:FILE`.
`models/judges/NAME.py` defines one in its `open_judge`, and another package adds one with an entry point of
the group `tiltmeter.models.judges`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

from tiltmeter.core.errors import BadInput
from tiltmeter.core.finder import find

T = TypeVar("T")
SENTIMENTS = ("negative", "neutral", "positive")
NEUTRAL = 0.05
"""Texts rated nearer to 0 than this are neutral, as VADER's authors propose."""


class TextJudge(Protocol):
    """Judges texts one by one; equal texts are judged alike."""

    @property
    def instrument(self) -> str:
        """What it is, with its version, for the card."""

    @property
    def reads(self) -> str:
        """What it judges by: "words and not meaning"."""

    @property
    def classes(self) -> Sequence[str]:
        """What a text can be: ("negative", "neutral", "positive")."""

    def classify(self, texts: Sequence[str]) -> list[str]:
        """The class of each text, one of `classes`; "" where it gives none."""


@runtime_checkable
class SentimentJudge(TextJudge, Protocol):
    """A judge whose classes are SENTIMENTS."""

    def rate(self, texts: Sequence[str]) -> list[float]:
        """The sentiment of each text, from −1 (negative) to 1 (positive)."""


@runtime_checkable
class NamesWords(TextJudge, Protocol):
    """A judge that goes by words alone."""

    def words_in(self, text: str) -> tuple[str, ...]:
        """The words of its list that a text has."""


@runtime_checkable
class PeopleJudge(TextJudge, Protocol):
    """What people said of some texts."""

    @property
    def votes(self) -> Mapping[tuple[str, str], Sequence[tuple[str, str]]]:
        """By the text's id ("" where it has none) and the text: each person, "" if unknown, and the class."""


def open_judge(
    reference: str, *, labels: Mapping[str, str] | None = None, naming: str = "", **opening: object
) -> TextJudge:
    """The judge of this name.

    Args:
        reference: A name, and behind a colon what it needs: a model, for example.
        labels: The class of each label of a classifier whose name does not say it.
        naming: How a user gives `labels`, for errors.
        opening: How a model is opened (`options`, `progress`), and the `people` whom a model is held against;
            judges ignore what they have no use for.

    Raises:
        UnknownName: No judge has this name.
        TiltmeterError: It cannot be opened.
    """
    name, _, location = reference.partition(":")
    opened: TextJudge = find("models.judges", name, "open_judge")(
        location, labels=labels or {}, naming=naming, **opening
    )
    return opened


def sentiment_judge(reference: str, **opening: Any) -> SentimentJudge:
    """The judge of sentiment of this name, as `open_judge` opens it.

    Raises:
        BadInput: It judges something else.
    """
    judge = open_judge(reference, **opening)
    if not isinstance(judge, SentimentJudge):
        reason = (
            f"{reference} judges texts as {', '.join(judge.classes)}, and here sentiment is judged"
        )
        raise BadInput(reason, "name lexicon, or classifier:MODEL")
    return judge


def judged_once(texts: Sequence[str], judge: Callable[[list[str]], Iterable[T]]) -> list[T]:
    """What `judge` says of each text; equal texts are judged once, and so alike to the last digit.

    >>> judged_once(["a", "bc", "a"], lambda different: map(len, different))
    [1, 2, 1]
    """
    different = [*dict.fromkeys(texts)]
    verdicts = dict(zip(different, judge(different), strict=True))
    return [verdicts[text] for text in texts]


def sentiments_of(ratings: Iterable[float]) -> list[str]:
    """The sentiment that each rating stands for.

    >>> sentiments_of([0.05, 0.04, -0.3])
    ['positive', 'neutral', 'negative']
    """
    return [SENTIMENTS[1 + (value >= NEUTRAL) - (value <= -NEUTRAL)] for value in ratings]


def classes_in(text: str, naming: str) -> dict[str, str]:
    """Labels and their classes, from "LABEL_0=negative, LABEL_1=positive"; `naming` is for errors.

    Raises:
        BadInput: A part is not LABEL=CLASS.
    """
    judges = {}
    for part in filter(str.strip, text.split(",")):
        label, _, kind = (word.strip() for word in part.rpartition("="))
        if not label:
            raise BadInput(
                f"{part.strip()!r} gives no label a class",
                f"write {naming}=LABEL_0=negative,LABEL_1=positive",
            )
        judges[label] = kind
    return judges
