"""Replies in the three layouts of the authors' files, each of which says what was asked."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Unpack

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.errors import BadInput, Problem, stop_at
from tiltmeter.core.model.conversations import Reply
from tiltmeter.core.records import Record
from tiltmeter.core.study import Reading, StoredReplies
from tiltmeter.data.downloads.registry import locate
from tiltmeter.data.downloads.sources import given
from tiltmeter.data.files.rows import Cell, FilledCell, UserRows
from tiltmeter.data.files.tables import has_columns, read_table
from tiltmeter.scoring.prompted_texts import LIST_RULES
from tiltmeter.scoring.reply_scores import NONE, list_scores, reply_record
from tiltmeter.studies.word_association.measures import CONSENT
from tiltmeter.studies.word_association.stimuli import (
    ASSOCIATION,
    DECISION,
    KINDS,
    NAMES,
    ROLES,
    SET,
    SYNONYM,
    Stereotype,
    read_stimuli,
)


@dataclass(frozen=True, slots=True)
class _Stored:
    """A row of one of the authors' three kinds of files."""

    reply: FilledCell
    category: FilledCell
    variation: Cell = ""
    decision_bias: Literal["", "0", "1", "0.0", "1.0"] = ""
    type: Cell = ""
    decision: Cell = ""


LAYOUTS = (
    ("0", "category", "variation"),
    ("0", "type", "dataset", "decision"),
    ("response", "dataset", "decision_bias"),
    ("reply", "category", "variation"),
)
"""Columns of the authors' three kinds of files, and of a table of yours in the layout of the first."""


def has_answers(path: Path, encoding: str = "") -> bool:
    """Whether a file, or all .csv files of a folder, have a layout of the authors' files."""
    files = sorted(path.glob("*.csv")) if path.is_dir() else [path]
    return bool(files) and all(
        any(has_columns(file, columns, encoding) for columns in LAYOUTS) for file in files
    )


def stored_answers(
    path: Path, items: Dataset[PromptedText] | None, as_reply: Callable[[str], Reply], *,
    settings: Mapping[str, str] | None = None, **reading: Unpack[Reading],
) -> StoredReplies[PromptedText]:  # fmt: skip
    """Replies in the layout of the authors' files; of a folder those of all its .csv files."""
    if items is not None or settings:
        reason = "the file of replies says what was asked"
        raise BadInput(reason, "leave out --data and --set", file=path.name)
    stereotypes, _ = read_stimuli([*locate(SET).files.values()])
    files = sorted(path.glob("*.csv")) if path.is_dir() else [path]
    pairs: list[tuple[PromptedText, Record]] = []
    problems: list[Problem] = []
    encoding = reading.get("encoding", "")
    for file in files:
        columns = read_table(file, encoding=encoding, known=None).columns
        named = {
            "reply": next((name for name in ("response", "0") if name in columns), "reply"),
            "category": "dataset" if "dataset" in columns else "category",
        }
        rows = UserRows(_Stored, file, encoding=encoding, columns=named, texts=None)
        for line, row in rows:
            name = NAMES.get(row.category, row.category)
            if name in stereotypes:
                pairs += _records(f"{file.stem}/{line}", name, stereotypes[name], row, as_reply)
            else:
                reason = f"no stereotype is called {name!r}"
                rows.complain(line, reason, f"write {', '.join(stereotypes)}")
        problems += rows.problems
    stop_at(problems, skip_invalid=reading.get("skip_invalid", False))
    data = replace(given(path, files), items=[item for item, _ in pairs], invalid=problems)
    return StoredReplies(data, [record for _, record in pairs], LIST_RULES[0].name)


def _records(
    key: str, name: str, of: Stereotype, row: _Stored, as_reply: Callable[[str], Reply]
) -> Iterator[tuple[PromptedText, Record]]:
    """The list, and in two of the layouts a decision behind it, with what was said."""
    groups = {
        "task": ASSOCIATION, "category": name,
        "variation": row.variation or ("absolute" if row.type else "chained"),
    }  # fmt: skip
    asked = of.item(key, of.synonyms if row.variation == SYNONYM else of.words, groups)
    whole = as_reply(row.reply)
    listed = re.split(r"task 2\b", whole.text, maxsplit=1, flags=re.IGNORECASE)[0]
    yield asked, reply_record(asked, whole, list_scores(asked, replace(whole, text=listed)))
    if row.type:
        person, _, role = row.type.partition("_")
        groups |= {"task": CONSENT, "person": person, "role": role}
        asked = of.item(f"{key}/decision", of.words, groups)
        decision = as_reply(row.decision)
        scores = {"yes": float(decision.text[:3].lower() == "yes")}
        if decision.finish == "thinking":
            scores = {"yes": NONE, "thinking": 1.0}
        yield asked, reply_record(asked, decision, scores)
    elif row.decision_bias:
        people = ROLES if row.decision_bias[0] == "1" else ROLES[::-1]
        two = replace(of, names={role: role for role in ROLES})
        groups["task"] = DECISION
        asked = two.item(f"{key}/decision", {kind: kind for kind in KINDS}, groups)
        decision = as_reply(row.decision)
        said = "\n".join(f"{kind} - {who}" for kind, who in zip(KINDS, people, strict=True))
        read = decision if decision.finish == "thinking" else Reply(said)
        yield asked, reply_record(asked, decision, list_scores(asked, read))
