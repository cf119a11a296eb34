"""What a model is asked about: texts as it tokenises them, and the requests made of them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text as one model tokenises it."""

    ids: tuple[int, ...]
    special: tuple[bool, ...]
    """True at the tokens that the tokenizer added (CLS, SEP)."""
    words: tuple[int, ...] = ()
    """Which word of the text each token belongs to, -1 at special tokens; same length as `ids`."""
    spans: tuple[tuple[int, int], ...] = ()
    """Which characters of the text each token covers, start and end; (0, 0) at special tokens."""


@dataclass(frozen=True, slots=True)
class Blanked:
    """Hide the tokens at `hidden` and return the log-probability of the true tokens at `read`.

    One forward pass. PLL hides and reads one position; AUL hides none and reads all.
    """

    ids: tuple[int, ...]
    hidden: tuple[int, ...]
    read: tuple[int, ...]

    @property
    def seen(self) -> tuple[int, ...]:
        """What the model sees, -1 at hidden tokens: requests equal in this share a forward pass.

        >>> Blanked((5, 6, 7), (1,), (1,)).seen == Blanked((5, 9, 7), (1,), (1,)).seen
        True
        """
        if not self.hidden:
            return self.ids
        gone = set(self.hidden)
        return tuple(-1 if i in gone else token for i, token in enumerate(self.ids))


@dataclass(frozen=True, slots=True)
class Continuation:
    """How likely are the tokens `ids` after the tokens `context`?

    An empty context asks for a text from its beginning. The model puts its start token (causal) or
    its own way of asking for a text (seq2seq) before both, unless `start` is false.
    """

    context: tuple[int, ...]
    ids: tuple[int, ...]
    start: bool = True
    after: tuple[int, ...] = ()
    """The tokens that follow `ids`, for models that can take them into account (`FillsGaps`)."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A text to be turned into a vector, or one word of it."""

    text: str
    at: tuple[int, int] = (0, 0)
    """Characters of the word that is asked about, start and end; (0, 0) for the whole text."""
