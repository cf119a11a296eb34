"""The document of `tiltmeter score`: two sentences side by side, or a list of scored items."""

from collections.abc import Sequence

from tiltmeter.core.records import Record
from tiltmeter.core.text import counted, visible
from tiltmeter.report import document as doc
from tiltmeter.report.documents import token_tables
from tiltmeter.run.measuring.scored_items import ScoredItems

SIDES = ("more", "less")
"""The names of a pair's scores in its record: the first sentence's, then the second's."""
ORDER = ("first", "second")
MOST_SENTENCES = 5
"""The tokens of up to this many sentences are shown; for more sentences, only JSON has them."""
LONGEST = 60
"""How many characters of a sentence a table shows."""
NO_TOKENS = "The rule {} gives no scores of single tokens."
UNIT = "nats (natural logarithms)"


def scores_document(scored: ScoredItems) -> doc.Document:
    """The scores, which of two sentences the model prefers, and the scores of their tokens."""
    records = scored.records
    if len(records) == 1 and set(SIDES) <= set(records[0].scores):
        finding, blocks = _two_sentences(records[0], scored)
    elif records and all("logprob" in r.scores and "text" in r.texts for r in records):
        finding, blocks = _sentences(scored)
    else:
        finding = [f"{_model(scored)}: {counted(len(records), 'items')} scored."]
        blocks = [_table_of_records(records)] if records else []
    facts: dict[str, doc.Json] = {
        "Rule": f"{scored.rule.name}. {scored.rule.summary}",
        "Source": scored.rule.source,
        "Convention": scored.convention,
        "Unit": UNIT,
        "Tokens": NO_TOKENS.format(scored.rule.name) if lacks_tokens(scored) else "",
    }
    notes: list[doc.Block] = [doc.Text(note.text, "note", on=doc.BOTH) for note in scored.notes]
    return doc.Document(
        "Scores of sentences" if len(blocks) > 1 else "Scores",
        _model(scored),
        finding,
        [doc.Section("scores", "", blocks), doc.Section("how", "", [*notes, doc.Facts(facts)])],
        limits="Scores of a few sentences show how this model reads them, not how it leans in general.",
    )


def lacks_tokens(scored: ScoredItems) -> bool:
    """Whether token scores were asked for, but the rule gives none."""
    return scored.per_token and all(record.tokens is None for record in scored.records)


def scores_value(scored: ScoredItems) -> dict[str, object]:
    """The contents of the document as an object for JSON."""
    value: dict[str, object] = {
        "model": str(scored.model["name"]),
        "rule": scored.rule.name,
        "convention": scored.convention,
        "items": [_item_value(record) for record in scored.records],
        "unit": UNIT,
        "notes": [note.text for note in scored.notes],
    }
    if len(scored.records) == 1 and set(SIDES) <= set(scored.records[0].scores):
        first, second = (scored.records[0].scores[side] for side in SIDES)
        value |= {"difference": first - second, "preferred": _preferred(first, second)}
    return value


def _item_value(record: Record) -> dict[str, object]:
    """One item as an object for JSON; a pair has both its sentences, in order."""
    sides = {name: record.texts[name] for name in SIDES if name in record.texts}
    texts = sides or {"logprob": record.texts.get("text", "")}
    tokens = {
        name: [{"token": t.text, "id": t.id, "logprob": t.logprob} for t in listed]
        for name, listed in (record.tokens or {}).items()
    }
    sentences = [
        {"text": text, "score": score, "tokens": tokens.get(name)}
        for name, text in texts.items()
        if (score := record.scores.get(name)) is not None
    ]
    return {"id": record.item, "sentences": sentences}


def _preferred(first: float, second: float) -> str | None:
    return None if first == second else ORDER[second > first]


def _model(scored: ScoredItems) -> str:
    return visible(str(scored.model["name"]))


def _two_sentences(
    record: Record, scored: ScoredItems
) -> tuple[list[doc.Text | str], list[doc.Block]]:
    first, second = (record.scores[side] for side in SIDES)
    preferred = _preferred(first, second)
    both = f"{token_tables.nats(first)} against {token_tables.nats(second)} nats"
    headline = f"{_model(scored)} scores both sentences the same: {token_tables.nats(first)} nats."
    if preferred is not None and round(abs(first - second), 2) == 0:
        headline = (
            f"{_model(scored)} scores both sentences almost the same, {token_tables.nats(first)} nats: the "
            f"{preferred} is higher by {abs(first - second):.1g}."
        )
    elif preferred is not None:
        headline = (
            f"{_model(scored)} prefers the {preferred} sentence: {both}, "
            f"a difference of {token_tables.nats(abs(first - second))}."
        )
    columns = [
        doc.Column("", list(ORDER), number=False, name="sentence"),
        doc.Column("score", [first, second], show=token_tables.nats),
        doc.Column("tokens scored", [int(record.scores[f"tokens_{side}"]) for side in SIDES],
                   name="tokens_scored"),
        doc.Column("text", [record.texts[s] for s in SIDES], show=_shortened, number=False),
    ]  # fmt: skip
    strong = [preferred == name for name in ORDER]
    rows: list[doc.Block] = [doc.Table("Scores", columns, strong=strong, name="scores")]
    if record.tokens is None:
        return [headline, NO_TOKENS.format(scored.rule.name)], rows
    aligned = token_tables.aligned_tokens(record.tokens["more"], record.tokens["less"])
    rows.append(token_tables.tokens_beside(aligned))
    return [headline, *token_tables.largest_gains(aligned)], rows


def _sentences(scored: ScoredItems) -> tuple[list[doc.Text | str], list[doc.Block]]:
    records = scored.records
    scores = [r.scores["logprob"] for r in records]
    each = [r.scores["logprob"] / r.scores["tokens_scored"] for r in records]
    best = max(range(len(scores)), key=scores.__getitem__)
    if len(records) == 1:
        headline = f"{_model(scored)} scores the sentence {token_tables.nats(scores[0])} nats."
    else:
        headline = (
            f"{_model(scored)} scores sentence {records[best].item} highest: "
            f"{token_tables.nats(scores[best])} nats. A longer sentence has more tokens to add up: compare "
            "sentences of equal length, or the scores per token."
        )
    columns = [
        doc.Column("", [r.item for r in records], number=False, name="sentence"),
        doc.Column("score", scores, show=token_tables.nats),
        doc.Column("per token", each, show=token_tables.nats, name="per_token"),
        doc.Column("tokens scored", [int(r.scores["tokens_scored"]) for r in records],
                   name="tokens_scored", drop=1),
        doc.Column("text", [r.texts["text"] for r in records], show=_shortened, number=False),
    ]  # fmt: skip
    strong = [len(scores) > 1 and score == scores[best] for score in scores]
    rows: list[doc.Block] = [doc.Table("Scores", columns, strong=strong, name="scores")]
    if len(records) > MOST_SENTENCES:
        return [headline], rows
    alone = [
        token_tables.tokens_of(r, several=len(records) > 1) for r in records if r.tokens is not None
    ]
    return [headline], [*rows, *alone]


def _table_of_records(records: Sequence[Record]) -> doc.Table:
    columns = []
    for name in dict.fromkeys(name for r in records for name in r.scores):
        values, title = [_plain(r.scores.get(name)) for r in records], name.replace("_", " ")
        columns.append(doc.Column(title, values, show=token_tables.nats, name=name))
    ids = doc.Column("item", [r.item for r in records], number=False)
    return doc.Table("Scores", [ids, *columns], name="scores")


def _plain(value: float | None) -> doc.Value:
    """The value as an int where it is whole, such as a count of tokens, so that it shows no decimals."""
    return int(value) if value is not None and value.is_integer() else value


def _shortened(value: doc.Value) -> str:
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
