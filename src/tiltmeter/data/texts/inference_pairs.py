"""Premises with hypotheses to learn from: pairs of natural language inference, or events with their tails.

- nli: the columns `premise`, `hypothesis` and `label`, or `sentence1`, `sentence2` and `gold_label` as SNLI
  and MultiNLI have them. Pairs of one relation are kept.
- if-then: the columns `event` (or `head`), `relation` and `tail`, or `tails` with a list of them, as ATOMIC
  has them. PersonX becomes "a person", and "the person" in tails; tails that say "none" are left out.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from tiltmeter.core.data.inference_prompts import ENTAILMENT, IF_THEN
from tiltmeter.core.errors import BadInput, BadItems, Problem
from tiltmeter.data.downloads.fetch import sha256
from tiltmeter.data.files.table import FileTable, listed
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.texts.archived_sets import named_table

PairKind: TypeAlias = Literal["nli", "if-then"]
COLUMNS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "nli": (("premise", "sentence1"), ("hypothesis", "sentence2"), ("label", "gold_label")),
    "if-then": (("event", "head"), ("tail", "tails"), ("relation",)),
}
"""By format: the names of premise, hypothesis and relation; the first of each is ours."""
NEUTRAL = "neutral"
_PERSON = re.compile(r"\bperson ?([xyz])\b", re.IGNORECASE)
_PREMISE = {"x": "a person", "y": "another person", "z": "a third person"}
_TAIL = {"x": "the person", "y": "the other person", "z": "the third person"}
_AGAIN = {**_PREMISE, "x": _TAIL["x"]}
_BLANK = re.compile(r"_{2,}")


class InferencePair(NamedTuple):
    """A premise, a relation, and a hypothesis that bears it to the premise."""

    premise: str
    relation: str
    hypothesis: str


@dataclass(frozen=True, slots=True)
class InferencePairs:
    """The pairs of one file, each once, with what was left out."""

    name: str
    sha256: str
    pairs: tuple[InferencePair, ...]
    left_out: Mapping[str, int]
    """How many rows or tails were left out, by reason."""


def read_inference_pairs(
    path: str | Path, form: PairKind, relations: Sequence[str] = (), *, encoding: str = ""
) -> InferencePairs:
    """Read a table of pairs, or those of a registered set: snli, multinli, atomic.

    None of `relations` keeps neutral of nli, and all that occur of if-then.

    Raises:
        BadInput: The file cannot be read, lacks a column, or no pair is left.
        BadItems: Rows without a premise or a hypothesis; all of them.
    """
    table = read_table(named_table(path), encoding=encoding, known=None)
    premise, hypothesis, relation = _columns(table, form)
    kept = list(relations) or ([NEUTRAL] if form == "nli" else [])
    pairs: dict[InferencePair, None] = {}
    left_out = {"of another relation": 0, "without a hypothesis (none)": 0, "repeated": 0}
    problems: list[Problem] = []
    seen: set[str] = set()
    for row in table.usable(problems):
        first_text, relation_name = _text(row.cells.get(premise)), _text(row.cells.get(relation))
        if form == "nli" and relation not in table.columns:
            relation_name = NEUTRAL
        seen.add(relation_name)
        if kept and relation_name and relation_name not in kept:
            left_out["of another relation"] += 1
            continue
        value = row.cells.get(hypothesis)
        texts = [*map(_text, value if isinstance(value, list) else [value])]
        if not first_text or not relation_name or not any(texts):
            columns = (premise, first_text), (relation, relation_name), (hypothesis, "")
            reason = f"{next(name for name, text in columns if not text)} is empty"
            problems.append(Problem(reason, "fill it in", file=table.path.name, line=row.line))
            continue
        for text in texts:
            if form == "if-then" and text.casefold() in {"", "none"}:
                left_out["without a hypothesis (none)"] += 1
                continue
            pair = _pair(first_text, relation_name, text, form)
            left_out["repeated"] += pair in pairs
            pairs[pair] = None
    if problems:
        raise BadItems(problems, way_out="Correct these rows, or remove them.")
    file = table.path.name
    if not pairs:
        reason = f"no pair of the relation {' or '.join(kept) or 'asked for'} is left"
        raise BadInput(reason, f"relations there: {listed(sorted(seen))}", file=file)
    counts = {reason: n for reason, n in left_out.items() if n}
    return InferencePairs(file, sha256(table.path), tuple(pairs), counts)


def as_person(event: str) -> str:
    """An event about PersonX as a sentence about a person.

    >>> as_person("PersonX takes PersonX's dog to ___")
    "A person takes the person's dog to something."
    """
    first = _PERSON.sub(lambda who: _PREMISE[who[1].lower()], event, count=1)
    text = _PERSON.sub(lambda who: _AGAIN[who[1].lower()], first)
    text = _BLANK.sub("something", text).strip()
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _pair(premise: str, relation: str, hypothesis: str, form: PairKind) -> InferencePair:
    if form == "nli":
        return InferencePair(premise, relation, hypothesis)
    tail = _BLANK.sub("something", _PERSON.sub(lambda who: _TAIL[who[1].lower()], hypothesis))
    return InferencePair(as_person(premise), relation, tail)


def _columns(table: FileTable, form: PairKind) -> list[str]:
    chosen = []
    for names in COLUMNS[form]:
        there = [name for name in names if name in table.columns]
        if not there and names == COLUMNS["nli"][2]:
            there = [names[0]]  # all pairs are of one relation
        if not there:
            reason = f"no column named {' or '.join(names)} (found: {listed(table.columns)})"
            way_out = f"rename one, or give another --format ({' or '.join(COLUMNS)})"
            raise BadInput(reason, way_out, file=table.path.name)
        chosen.append(there[0])
    return chosen


def _text(value: object) -> str:
    return "" if value is None or isinstance(value, list | dict) else " ".join(str(value).split())


def known_phrase(relation: str, form: PairKind) -> str:
    """The words of a relation; "" for one that is not known here."""
    return (ENTAILMENT if form == "nli" else IF_THEN).get(relation, "")
