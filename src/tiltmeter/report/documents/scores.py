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
from tiltmeter.report.text import counted
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
        "Tokens": NO_TOKENS.format(scored.rule.name) if lacks_tokens(scored) else "",
    }
    notes: list[Block] = [Text(note.text, "note", on=BOTH) for note in scored.notes]
    return Document(
        "Scores of sentences" if len(blocks) > 1 else "Scores",
        _model(scored),
        finding,
        [Section("scores", "", blocks), Section("how", "", [*notes, Facts(facts)])],
        limits="Scores of a few sentences show how this model reads them, not how it leans in general.",
    )


def lacks_tokens(scored: ScoredItems) -> bool:
    """Whether scores of tokens were asked for, and the rule has none."""
    return scored.per_token and all(record.tokens is None for record in scored.records)


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
    both = f"{nats(first)} against {nats(second)} nats"
    said = f"{_model(scored)} scores both sentences the same: {nats(first)} nats."
    if preferred is not None:
        said = (
            f"{_model(scored)} prefers the {preferred} sentence: {both}, "
            f"a difference of {nats(abs(first - second))}."
        )
    counts = [int(record.scores[f"tokens_{side}"]) for side in SIDES]
    rows: list[Block] = [
        Table(
            "Scores",
            [
                Column("", list(ORDER), number=False, name="sentence"),
                Column("score", [first, second], show=nats),
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
    [('he', 'she'), ('ran', 'ran'), (None, 'ran')]
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
    named = [f"{_called(row)} {_signed(gain)}" for gain, row in largest]
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


def _sentences(scored: ScoredItems) -> tuple[list[Text | str], list[Block]]:
    records = scored.records
    scores = [r.scores["logprob"] for r in records]
    each = [r.scores["logprob"] / r.scores["tokens_scored"] for r in records]
    best = max(range(len(scores)), key=scores.__getitem__)
    if len(records) == 1:
        said = f"{_model(scored)} scores the sentence {nats(scores[0])} nats."
    else:
        said = (
            f"{_model(scored)} scores sentence {records[best].item} highest: {nats(scores[best])} nats. "
            "A longer sentence has more tokens to add up: compare sentences of equal length, or the scores "
            "per token."
        )
    rows: list[Block] = [
        Table(
            "Scores",
            [
                Column("", [r.item for r in records], number=False, name="sentence"),
                Column("score", scores, show=nats),
                Column("per token", each, show=nats, name="per_token"),
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
            Column("log p", [t.logprob for t in tokens], show=nats, name="logprob"),
        ],
        notes=_unscored(tokens),
        most=len(tokens),
        name=f"tokens-{record.item}",
    )


def _table_of_records(records: Sequence[Record]) -> Table:
    names = dict.fromkeys(name for r in records for name in r.scores)
    columns = [
        Column(
            name.replace("_", " "),
            [_plain(r.scores.get(name)) for r in records],
            show=nats,
            name=name,
        )
        for name in names
    ]
    ids = Column("item", [r.item for r in records], number=False)
    return Table("Scores", [ids, *columns], name="scores")


def _plain(value: float | None) -> Value:
    """A whole number, such as a count of tokens, without decimals."""
    return int(value) if value is not None and value.is_integer() else value


def _text(token: TokenScore | None) -> str:
    return "" if token is None else token.text.strip()


def _logprob(token: TokenScore | None) -> float | None:
    return None if token is None else token.logprob


def nats(value: Value) -> str:
    """A score with two decimals, so that they stand in line; a true minus sign.

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


def _shortened(value: Value) -> str:
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
