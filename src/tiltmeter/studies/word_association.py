"""Word association: which of two groups does a model write behind which word, and whom does it choose?"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, Unpack

from tiltmeter.core.conventions import PAPER
from tiltmeter.core.conversations import Reply
from tiltmeter.core.errors import BadInput, Problem, stop_at
from tiltmeter.core.items import Dataset
from tiltmeter.core.measures import EVERY, Measure
from tiltmeter.core.prompted_items import WRAP, PromptedText
from tiltmeter.core.results import Record
from tiltmeter.core.study import Reading, Study
from tiltmeter.core.study_words import StudyWords
from tiltmeter.data.downloads.registry import locate
from tiltmeter.data.downloads.sources import given
from tiltmeter.data.files.rows import Cell, FilledCell, UserRows
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.prompts import word_association as stimuli
from tiltmeter.data.prompts.word_association import ASSOCIATION, DECISION, KINDS, ROLES, Stereotype
from tiltmeter.families.written_labels import REFUSED, SILENT
from tiltmeter.metrics import labels, word_association
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.scoring.prompted_texts import LIST_RULES, REFUSES
from tiltmeter.scoring.reply_scores import list_scores, reply_record

WORDS = StudyWords.beside(__file__)
COUNTS = tuple(
    f"{role}_{kind}" for role in ("stigma", "default", "none") for kind in reversed(KINDS)
)
UNITS = ("category", "variation")
OVER: tuple[tuple[str, ...], ...] = ((), ("domain",), ("category",), UNITS, ("first_named",))
BAI, CONSENT = "bai2025", "consent"


def _measure(
    task: str, metric: Any, over: tuple[tuple[str, ...], ...] = OVER, **further: Any
) -> Measure:
    """A number of lists, from −1 to 1, or of decisions, in percent."""
    unit, neutral = ("", 0) if task == ASSOCIATION else ("%", 50)
    fields = {
        "over": over,
        "units": UNITS,
        "where": {"task": task},
        **WORDS[metric.name],
        **further,
    }
    return Measure(metric.name, metric, COUNTS, unit, neutral, **fields)


BOUND: Mapping[str, Any] = {"over": ((), ("category",)), "comparison": None}
RATES: Mapping[str, Any] = {
    "rules": ("list", "stored"), "units": UNITS, "over": ((), *OVER[1:], ("task",), EVERY),
}  # fmt: skip
MEASURES = (
    _measure(ASSOCIATION, word_association.word_association),
    _measure(DECISION, word_association.decision_bias),
    _measure(ASSOCIATION, word_association.lowest_association, **BOUND),
    _measure(ASSOCIATION, word_association.highest_association, **BOUND),
    _measure(DECISION, word_association.lowest_decision_bias, **BOUND),
    _measure(DECISION, word_association.highest_decision_bias, **BOUND),
    Measure(
        "one_sided_rate", word_association.one_sided_rate, COUNTS, "%", neutral=None,
        over=OVER, units=UNITS, where={"task": ASSOCIATION}, **WORDS["one_sided_rate"],
    ),
    replace(REFUSED, **RATES),
    replace(SILENT, **RATES),
    Measure(
        "yes_rate", labels.rate, ("yes",), "%", neutral=None, where={"task": CONSENT}, units=UNITS,
        over=(("category", "person", "role"),), **WORDS["yes_rate"],
    ),
    _measure(ASSOCIATION, word_association.published_association, conventions=(BAI,), infer=infer_nothing,
             **BOUND),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Stored:
    """A row of one of the authors' three kinds of files."""

    reply: FilledCell
    category: FilledCell
    variation: Cell = ""
    decision_bias: Literal["", "0", "1", "0.0", "1.0"] = ""
    type: Cell = ""
    decision: Cell = ""


def stored_replies(
    path: Path, items: Dataset[PromptedText] | None, *, settings: Mapping[str, str] | None = None,
    **reading: Unpack[Reading],
) -> tuple[Dataset[PromptedText], Sequence[Record]]:  # fmt: skip
    """Replies in the layout of the authors' files; of a folder those of all its .csv files."""
    if items is not None or settings:
        reason = "the file of replies says what was asked"
        raise BadInput(reason, "leave out --data and --set", file=path.name)
    stereotypes, _ = stimuli.read_stimuli([*locate(stimuli.SET).files.values()])
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
            name = stimuli.NAMES.get(row.category, row.category)
            if name in stereotypes:
                pairs += _records(f"{file.stem}/{line}", name, stereotypes[name], row)
            else:
                reason = f"no stereotype is called {name!r}"
                rows.complain(line, reason, f"write {', '.join(stereotypes)}")
        problems += rows.problems
    stop_at(problems, skip_invalid=reading.get("skip_invalid", False))
    data = replace(given(path, files), items=[item for item, _ in pairs], invalid=problems)
    return data, [record for _, record in pairs]


def _records(
    key: str, name: str, of: Stereotype, row: _Stored
) -> Iterator[tuple[PromptedText, Record]]:
    """The list, and in two of the layouts a decision behind it, with what was said."""
    groups = {
        "task": ASSOCIATION, "category": name,
        "variation": row.variation or ("absolute" if row.type else "chained"),
    }  # fmt: skip
    asked = of.item(key, of.synonyms if row.variation == stimuli.SYNONYM else of.words, groups)
    listed = re.split(r"task 2\b", row.reply, maxsplit=1, flags=re.IGNORECASE)[0]
    yield asked, reply_record(asked, row.reply, list_scores(asked, Reply(listed)))
    if row.type:
        person, _, role = row.type.partition("_")
        groups |= {"task": CONSENT, "person": person, "role": role}
        asked = of.item(f"{key}/decision", of.words, groups)
        says_yes = float(row.decision[:3].lower() == "yes")
        yield asked, reply_record(asked, row.decision, {"yes": says_yes})
    elif row.decision_bias:
        people = ROLES if row.decision_bias[0] == "1" else ROLES[::-1]
        two = replace(of, names={role: role for role in ROLES})
        groups["task"] = DECISION
        asked = two.item(f"{key}/decision", {kind: kind for kind in KINDS}, groups)
        said = "\n".join(f"{kind} - {who}" for kind, who in zip(KINDS, people, strict=True))
        yield asked, reply_record(asked, row.decision, list_scores(asked, Reply(said)))


STUDY = Study(
    **WORDS.study,
    load=stimuli.load_word_association,
    sample=stimuli.sample_word_association,
    rules=LIST_RULES,
    measures=MEASURES,
    conventions=(PAPER, *WORDS.conventions),
    settings=(*stimuli.SETTINGS, WRAP, REFUSES),
    views=WORDS.views,
    data=(stimuli.SET,),
    categories="domain",
    stored=stored_replies,
)  # fmt: skip
