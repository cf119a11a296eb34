"""Scores of single items, as a document: two sentences beside each other, or a list."""

from collections.abc import Sequence

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
from tiltmeter.report.documents.token_tables import (
    aligned_tokens,
    largest_gains,
    nats,
    tokens_beside,
    tokens_of,
)
from tiltmeter.report.text import counted
from tiltmeter.run.scored_items import ScoredItems

SIDES = ("more", "less")
"""The scores of a pair of sentences, the first sentence first."""
ORDER = ("first", "second")
MOST_SENTENCES = 5
"""Of so many sentences the tokens are shown; of more, JSON has them."""
LONGEST = 60
"""Characters of a sentence in a table."""
NO_TOKENS = "The rule {} gives no scores of single tokens."
UNIT = "nats (natural logarithms)"


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
    return [said, *largest_gains(aligned)], [*rows, tokens_beside(aligned)]


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
    alone = [tokens_of(r, several=len(records) > 1) for r in records if r.tokens is not None]
    return [said], [*rows, *alone]


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


def _shortened(value: Value) -> str:
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
