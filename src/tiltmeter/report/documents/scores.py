"""Scores of single items, as a document: two sentences beside each other, or a list."""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from tiltmeter.core.results import Record, TokenScore
from tiltmeter.core.text import visible
from tiltmeter.report.document import (
    BOTH,
    Block,
    Column,
    Document,
    Facts,
    Json,
    Section,
    Table,
    Text,
    Value,
)
from tiltmeter.report.text import counted, number
from tiltmeter.run.scored_items import ScoredItems

SIDES = ("more", "less")
"""The scores of a pair of sentences, the first sentence first."""
ORDER = ("first", "second")
MOST_TOKENS = 3
"""How many tokens the finding names."""
MOST_SENTENCES = 5
"""Of so many sentences the tokens are shown; of more, JSON has them."""
LONGEST = 60
"""Characters of a sentence in a table."""
NO_TOKENS = "The rule {} gives no scores of single tokens."
UNIT = "nats (natural logarithms)"
TokenRow = tuple[TokenScore | None, TokenScore | None]


def scores_document(scored: ScoredItems) -> Document:
    """The scores, the preference between two sentences, and the tokens behind it."""
    records = scored.records
    if len(records) == 1 and set(SIDES) <= set(records[0].scores):
        finding, blocks = _two_sentences(records[0], scored)
    elif records and all("logprob" in r.scores and "text" in r.texts for r in records):
        finding, blocks = _sentences(scored)
    else:
        finding = [f"{_model(scored)}: {counted(len(records), 'items')} scored."]
        blocks = [_table_of_records(records)] if records else []
    facts: dict[str, Json] = {
        "Rule": f"{scored.rule.name}. {scored.rule.summary}",
        "Source": scored.rule.source,
        "Convention": scored.convention,
        "Unit": UNIT,
    }
    notes: list[Block] = [Text(note.text, "note", on=BOTH) for note in scored.notes]
    return Document(
        "Scores of sentences" if len(blocks) > 1 else "Scores",
        _model(scored),
        finding,
        [Section("scores", "", blocks), Section("how", "", [*notes, Facts(facts)])],
        limits="Scores of a few sentences show how this model reads them, not how it leans in general.",
    )


def scores_value(scored: ScoredItems) -> dict[str, object]:
    """All of it for JSON."""
    found: dict[str, object] = {
        "model": str(scored.model["name"]),
        "rule": scored.rule.name,
        "convention": scored.convention,
        "items": [_item_value(record) for record in scored.records],
        "unit": UNIT,
        "notes": [note.text for note in scored.notes],
    }
    if len(scored.records) == 1 and set(SIDES) <= set(scored.records[0].scores):
        first, second = (scored.records[0].scores[side] for side in SIDES)
        found |= {"difference": first - second, "preferred": _preferred(first, second)}
    return found


def _item_value(record: Record) -> dict[str, object]:
    """One item; of a pair both sentences, in their order."""
    sides = {name: record.texts[name] for name in SIDES if name in record.texts}
    texts = sides or {"logprob": record.texts.get("text", "")}
    sentences = [
        {"text": text, "score": score, "tokens": _tokens_value((record.tokens or {}).get(name))}
        for name, text in texts.items()
        if (score := record.scores.get(name)) is not None
    ]
    return {"id": record.item, "sentences": sentences}


def _tokens_value(tokens: Sequence[TokenScore] | None) -> list[dict[str, object]] | None:
    if tokens is None:
        return None
    return [{"token": t.text, "id": t.id, "logprob": t.logprob} for t in tokens]


def _preferred(first: float, second: float) -> str | None:
    return None if first == second else ORDER[second > first]


def _model(scored: ScoredItems) -> str:
    return visible(str(scored.model["name"]))


def _two_sentences(record: Record, scored: ScoredItems) -> tuple[list[Text | str], list[Block]]:
    first, second = (record.scores[side] for side in SIDES)
    preferred = _preferred(first, second)
    both = f"{number(first)} against {number(second)} nats"
    said = f"{_model(scored)} scores both sentences the same: {number(first)} nats."
    if preferred is not None:
        said = (
            f"{_model(scored)} prefers the {preferred} sentence: {both}, "
            f"a difference of {number(abs(first - second))}."
        )
    counts = [int(record.scores[f"tokens_{side}"]) for side in SIDES]
    rows: list[Block] = [
        Table(
            "Scores",
            [
                Column("", list(ORDER), number=False, name="sentence"),
                Column("score", [first, second], show=_number),
                Column("tokens scored", counts, name="tokens_scored"),
                Column("text", [record.texts[s] for s in SIDES], show=_shortened, number=False),
            ],
            strong=[preferred == name for name in ORDER],
            name="scores",
        )
    ]
    if record.tokens is None:
        return [said, NO_TOKENS.format(scored.rule.name)], rows
    aligned = aligned_tokens(record.tokens["more"], record.tokens["less"])
    return [said, *_which(aligned)], [*rows, _beside(aligned)]


def aligned_tokens(first: Sequence[TokenScore], second: Sequence[TokenScore]) -> list[TokenRow]:
    """Both sentences' tokens beside each other; None where one has no counterpart.

    >>> he, she, ran = (TokenScore(w, i, -1.0) for i, w in enumerate(("he", "she", "ran")))
    >>> [(a and a.text, b and b.text) for a, b in aligned_tokens([he, ran], [she, ran, ran])]
    [('he', 'she'), (None, 'ran'), ('ran', 'ran')]
    """
    ids = [t.id for t in first], [t.id for t in second]
    rows: list[TokenRow] = []
    for _, a, b, c, d in SequenceMatcher(None, *ids, autojunk=False).get_opcodes():
        rows += zip_longest(first[a:b], second[c:d])
    return rows


def _gain(row: TokenRow) -> float | None:
    """How much more the first sentence gets from its token than the second from its own."""
    scores = [None if token is None else token.logprob for token in row]
    if scores == [None, None]:
        return None
    return (scores[0] or 0.0) - (scores[1] or 0.0)


def _which(rows: Sequence[TokenRow]) -> list[str]:
    """The tokens that make most of the difference, in a sentence."""
    gains = [(gain, row) for row in rows if (gain := _gain(row))]
    largest = sorted(gains, key=lambda one: -abs(one[0]))[:MOST_TOKENS]
    if not largest:
        return []
    named = [f"{_called(row)} {'+' if gain > 0 else ''}{number(gain)}" for gain, row in largest]
    return [f"Largest differences by token (first less second): {', '.join(named)}."]


def _called(row: TokenRow) -> str:
    words = dict.fromkeys(token.text.strip() for token in row if token is not None)
    return "/".join(f"“{visible(word)}”" for word in words)


def _beside(rows: Sequence[TokenRow]) -> Table:
    """Token by token, with what each adds."""
    gains: list[Value] = [_gain(row) for row in rows]
    largest = sorted((abs(g) for g in gains if isinstance(g, float) and g), reverse=True)
    least = largest[:MOST_TOKENS][-1] if largest else None
    return Table(
        "Token by token",
        [
            Column("first", [_text(a) for a, _ in rows], number=False, name="first"),
            Column("log p", [_logprob(a) for a, _ in rows], show=_number, name="first_logprob"),
            Column("second", [_text(b) for _, b in rows], number=False, name="second"),
            Column("log p", [_logprob(b) for _, b in rows], show=_number, name="second_logprob"),
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


def _sentences(scored: ScoredItems) -> tuple[list[Text | str], list[Block]]:
    records = scored.records
    scores = [r.scores["logprob"] for r in records]
    each = [r.scores["logprob"] / r.scores["tokens_scored"] for r in records]
    best = max(range(len(scores)), key=scores.__getitem__)
    if len(records) == 1:
        said = f"{_model(scored)} scores the sentence {number(scores[0])} nats."
    else:
        said = (
            f"{_model(scored)} scores sentence {records[best].item} highest: {number(scores[best])} nats. "
            "A longer sentence has more tokens to add up: compare sentences of equal length, or the scores "
            "per token."
        )
    rows: list[Block] = [
        Table(
            "Scores",
            [
                Column("", [r.item for r in records], number=False, name="sentence"),
                Column("score", scores, show=_number),
                Column("per token", each, show=_number, name="per_token"),
                Column("tokens scored", [int(r.scores["tokens_scored"]) for r in records],
                       name="tokens_scored", drop=1),
                Column("text", [r.texts["text"] for r in records], show=_shortened, number=False),
            ],
            strong=[len(scores) > 1 and score == scores[best] for score in scores],
            name="scores",
        )
    ]  # fmt: skip
    if len(records) > MOST_SENTENCES:
        return [said], rows
    alone = [_alone(r, several=len(records) > 1) for r in records if r.tokens is not None]
    return [said], [*rows, *alone]


def _alone(record: Record, *, several: bool) -> Table:
    tokens = (record.tokens or {})["logprob"]
    name = f"Sentence {record.item}, token by token" if several else "Token by token"
    return Table(
        name,
        [
            Column("", [_text(t) for t in tokens], number=False, name="token"),
            Column("log p", [t.logprob for t in tokens], show=_number, name="logprob"),
        ],
        notes=_unscored(tokens),
        most=len(tokens),
        name=f"tokens-{record.item}",
    )


def _table_of_records(records: Sequence[Record]) -> Table:
    names = dict.fromkeys(name for r in records for name in r.scores)
    columns = [
        Column(
            name.replace("_", " "), [r.scores.get(name) for r in records], show=_number, name=name
        )
        for name in names
    ]
    ids = Column("item", [r.item for r in records], number=False)
    return Table("Scores", [ids, *columns], name="scores")


def _text(token: TokenScore | None) -> str:
    return "" if token is None else token.text.strip()


def _logprob(token: TokenScore | None) -> float | None:
    return None if token is None else token.logprob


def _number(value: Value) -> str:
    return number(float(value)) if isinstance(value, int | float) else ""


def _signed(value: Value) -> str:
    return f"{'+' if isinstance(value, float) and value > 0 else ''}{_number(value)}"


def _shortened(value: Value) -> str:
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
