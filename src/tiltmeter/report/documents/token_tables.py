"""Tables of the scores of a sentence's tokens, for one sentence or for two side by side."""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from tiltmeter.core.records import Record, TokenScore
from tiltmeter.core.text import visible
from tiltmeter.report.document import Column, Table, Value

MOST_TOKENS = 3
"""How many tokens a sentence names, and how many rows of a table are emphasized."""
TokenRow = tuple[TokenScore | None, TokenScore | None]


def aligned_tokens(first: Sequence[TokenScore], second: Sequence[TokenScore]) -> list[TokenRow]:
    """The tokens of both sentences paired in order; None where a token has no counterpart.

    >>> he, she, ran = (TokenScore(w, i, -1.0) for i, w in enumerate(("he", "she", "ran")))
    >>> [(a and a.text, b and b.text) for a, b in aligned_tokens([he, ran], [she, ran, ran])]
    [('he', 'she'), ('ran', 'ran'), (None, 'ran')]
    """
    ids = [t.id for t in first], [t.id for t in second]
    rows: list[TokenRow] = []
    for _, a, b, c, d in SequenceMatcher(None, *ids, autojunk=False).get_opcodes():
        rows += zip_longest(first[a:b], second[c:d])
    return rows


def _gain(row: TokenRow) -> float | None:
    """The first token's score less the second's, counting a missing one as 0; None where both are missing."""
    scores = [None if token is None else token.logprob for token in row]
    if scores == [None, None]:
        return None
    return (scores[0] or 0.0) - (scores[1] or 0.0)


def largest_gains(rows: Sequence[TokenRow]) -> list[str]:
    """A sentence that names the tokens with the largest differences; [] where none differ."""
    gains = [(gain, row) for row in rows if (gain := _gain(row))]
    largest = sorted(gains, key=lambda one: -abs(one[0]))[:MOST_TOKENS]
    if not largest:
        return []
    tokens = [f"{_called(row)} {_signed(gain)}" for gain, row in largest]
    return [f"Largest differences by token (first minus second): {', '.join(tokens)}."]


def _called(row: TokenRow) -> str:
    words = dict.fromkeys(token.text.strip() for token in row if token is not None)
    return "/".join(f"“{visible(word)}”" for word in words)


def tokens_beside(rows: Sequence[TokenRow]) -> Table:
    """The tokens of two sentences side by side with their scores and differences."""
    gains: list[Value] = [_gain(row) for row in rows]
    largest = sorted((abs(g) for g in gains if isinstance(g, float) and g), reverse=True)
    least = largest[:MOST_TOKENS][-1] if largest else None
    return Table(
        "Token by token",
        [
            Column("first", [_text(a) for a, _ in rows], number=False, name="first"),
            Column("log p", [_logprob(a) for a, _ in rows], show=nats, name="first_logprob"),
            Column("second", [_text(b) for _, b in rows], number=False, name="second"),
            Column("log p", [_logprob(b) for _, b in rows], show=nats, name="second_logprob"),
            Column("difference", gains, show=_signed, name="difference"),
        ],
        strong=[least is not None and isinstance(g, float) and abs(g) >= least for g in gains],
        notes=_unscored(token for row in rows for token in row),
        most=len(rows),
        name="tokens",
    )


def _unscored(tokens: Iterable[TokenScore | None]) -> list[str]:
    if any(token is not None and token.logprob is None for token in tokens):
        return ["Tokens without a number are not scored by this rule."]
    return []


def tokens_of(record: Record, *, several: bool) -> Table:
    """The tokens of a single sentence with their scores; with `several`, the title names the sentence."""
    tokens = (record.tokens or {})["logprob"]
    name = f"Sentence {record.item}, token by token" if several else "Token by token"
    columns = [
        Column("", [_text(t) for t in tokens], number=False, name="token"),
        Column("log p", [t.logprob for t in tokens], show=nats, name="logprob"),
    ]
    return Table(
        name, columns, notes=_unscored(tokens), most=len(tokens), name=f"tokens-{record.item}"
    )


def _text(token: TokenScore | None) -> str:
    return "" if token is None else token.text.strip()


def _logprob(token: TokenScore | None) -> float | None:
    return None if token is None else token.logprob


def nats(value: Value) -> str:
    """A score with two decimals and a true minus sign, so that a column of them is aligned.

    >>> nats(-13.666), nats(-0.001), nats(None)
    ('−13.67', '0.00', '')
    """
    if not isinstance(value, int | float):
        return ""
    if isinstance(value, int):
        return str(value).replace("-", "−")
    text = f"{value:.2f}"
    return text.removeprefix("-") if float(text) == 0 else text.replace("-", "−")


def _signed(value: Value) -> str:
    text = nats(value)
    return text if text.startswith("−") or not float(text or 0) else f"+{text}"
