"""Reading one triple from a cluster in StereoSet's layout or from a row of a table, with every check."""

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, cast

from tiltmeter.core.data.items import BLANK, SIDES, TASKS, Task, Triple
from tiltmeter.core.errors import Problem
from tiltmeter.core.reading.json_text import parsed
from tiltmeter.core.text import counted
from tiltmeter.data.files.rows import label_of
from tiltmeter.data.files.table import TableRow
from tiltmeter.data.memory.spool import Spool
from tiltmeter.data.memory.text_numbers import TextNumbers
from tiltmeter.data.pairs.sentences import complaint, normal
from tiltmeter.data.triples.cloze import attribute, resembles

LABELS = {"stereotype": 0, "anti-stereotype": 1, "unrelated": 2}
"""The gold labels, and which of SIDES each is."""
HUB_LABELS = ("anti-stereotype", "stereotype", "unrelated")
"""The gold labels by their numbers on the Hugging Face hub."""
GROUP = "group_"
REAL_WORDS = frozenset({"BLACK", "BLEAK", "BLAND", "BANK", "PLANK", "FLANK"})
"""Words in capitals that look like a misspelt BLANK but are words."""


@dataclass(slots=True)
class TripleReading:
    """The triples of one file so far, and the problems of those that cannot be scored."""

    file: str
    in_rows: bool = False
    """Whether it is a table, and not in StereoSet's layout."""
    items: Spool[Triple] = field(default_factory=lambda: Spool(Triple))
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    seen: TextNumbers = field(default_factory=TextNumbers)
    """The number of the place where each kind and id was first seen, as `_place` names it."""

    def add_cluster(self, task: Task, number: int, cluster: Any) -> None:
        """Take in one cluster of StereoSet's layout, as a triple or as the problem it has."""
        at = number * len(TASKS) + TASKS.index(task)
        place = self._place(at)
        name = isinstance(cluster, dict) and label_of(cluster.get("id"))
        where = Problem("", file=place, item=name or f"{task} {number}")
        candidates = _labelled(cluster, where)
        if isinstance(candidates, Problem):
            self.problems.append(candidates)
            return
        sentences, names = candidates
        texts = (sentences[0], sentences[1], sentences[2])
        target, domain = cluster.get("target"), cluster.get("bias_type", cluster.get("domain"))
        bare = Triple(
            where.item, task, cluster["context"], texts, _label(target), _label(domain),
            names=names, where=place,
        )  # fmt: skip
        self._settle(bare, where, at)

    def _place(self, at: int) -> str:
        """Where a row is by its line or, in StereoSet's layout, a cluster by its task and number."""
        number, task = divmod(at, len(TASKS))
        return f"{self.file}:{at}" if self.in_rows else f"{self.file}, {TASKS[task]} {number}"

    def add_row(self, index: int, row: TableRow) -> None:
        """Take in one row of a table, as a triple or as the problem it has."""
        if row.problem is not None:
            self.problems.append(replace(row.problem, item=str(index)))
            return
        line, cells = row.line, row.cells
        where = Problem("", file=self.file, line=line, item=label_of(cells.get("id")) or str(index))
        context = cells.get("context")
        usual = TASKS[0] if isinstance(context, str) and BLANK in context else TASKS[1]
        task = label_of(cells.get("task")) or usual
        if not label_of(cells.get("task")) and (word := _misspelt(context)):
            reason = f"the context contains {word!r} and no {BLANK}"
            way_out = f"write {BLANK}, or add a column task that says intersentence"
            self.problems.append(replace(where, reason=reason, way_out=way_out))
            return
        if task not in TASKS:
            reason = f"task {task!r} is neither intrasentence nor intersentence"
            self.problems.append(replace(where, reason=reason, way_out="write one of them"))
            return
        texts = [cells.get(side) for side in SIDES]
        bare = Triple(
            where.item,
            TASKS[TASKS.index(task)],
            cast("str", context),  # checked by _settle, as the sentences are
            cast("tuple[str, str, str]", tuple(texts)),
            _label(cells.get("target")),
            _label(cells.get("domain", cells.get("bias_type"))),
            names=tuple(f"{where.item}/{side}" for side in SIDES),
            groups={
                name.removeprefix(GROUP): label_of(cell)
                for name, cell in cells.items()
                if name.startswith(GROUP) and label_of(cell)
            },
            where=self._place(line),
        )
        self._settle(bare, where, line)

    def add_nested_row(self, index: int, row: TableRow) -> None:
        """Take in a row that has its sentences in one cell, as on the Hugging Face hub."""
        if row.problem is not None:
            self.problems.append(replace(row.problem, item=str(index)))
            return
        cells = row.cells
        where = Problem(
            "", file=self.file, line=row.line, item=label_of(cells.get("id")) or str(index)
        )
        candidates = _labelled({**cells, "sentences": _candidates(cells.get("sentences"))}, where)
        if isinstance(candidates, Problem):
            self.problems.append(candidates)
            return
        (first, second, third), names = candidates
        context = cells.get("context")
        task = TASKS[0] if isinstance(context, str) and BLANK in context else TASKS[1]
        bare = Triple(
            where.item, task, cast("str", context), (first, second, third), _label(cells.get("target")),
            _label(cells.get("bias_type", cells.get("domain"))), names=names, where=self._place(row.line),
        )  # fmt: skip
        self._settle(bare, where, row.line)

    def _settle(self, bare: Triple, where: Problem, at: int) -> None:
        """Check the texts and find the attributes."""
        twice = self._twice(bare, where, at)  # first: an id counts also where the rest is bad
        fault = next(_unusable(bare), None)
        triple = bare
        if fault is None and twice is None:
            first, second, third = (text.strip() for text in bare.sentences)
            context = bare.context.strip()
            triple = replace(bare, context=context, sentences=(first, second, third))
            if triple.task == "intrasentence":
                triple = _with_attributes(triple, words=self.in_rows)
            fault = next(_unusable_attributes(triple), None)
        if fault is not None:
            reason, way_out = f"cluster {bare.id!r}: {fault[0]}", fault[1]
            self.problems.append(replace(where, reason=reason, way_out=way_out))
        elif twice is not None:
            self.problems.append(twice)
        else:
            self.items.append(triple)

    def _twice(self, bare: Triple, where: Problem, at: int) -> Problem | None:
        # names in a table are made of the id, so that they are there twice only where it is
        names = () if self.in_rows else bare.names
        for kind, name in (("cluster", bare.id), *(("sentence", name) for name in names)):
            before = self.seen.get(f"{kind} {name}")
            if before is None:
                self.seen[f"{kind} {name}"] = at
            elif before != at:
                reason = f"the id {name!r} is also at {self._place(before)}"
                return replace(where, reason=reason, way_out=f"give each {kind} an id of its own")
        if len(set(bare.names)) < len(bare.names):
            reason = f"cluster {bare.id!r}: two of its sentences have the same id"
            return replace(where, reason=reason, way_out="give each sentence an id of its own")
        return None


def _misspelt(context: object) -> str:
    """What stands in a context where BLANK was meant; "" where nothing does.

    >>> _misspelt("The chef is BLNAK."), _misspelt("The chef grilled a FLANK steak.")
    ('BLNAK', '')
    """
    if not isinstance(context, str) or BLANK in context:
        return ""
    words = re.findall(r"\b[A-Z]{4,7}\b|_{2,}|\[[Bb]lank\]|\[MASK\]|<mask>", context)
    for word in words:
        is_near = word not in REAL_WORDS and difflib.get_close_matches(word, [BLANK], 1, 0.7)
        if is_near or not word.isalpha():
            return str(word)
    return ""


def _candidates(cell: Any) -> Any:
    """The sentences of a cell: a list of objects, or an object of lists, or either as JSON."""
    if isinstance(cell, str):
        try:
            cell = parsed(cell)
        except (ValueError, RecursionError):
            return cell
    if isinstance(cell, dict):
        columns = {name: of for name, of in cell.items() if isinstance(of, list)}
        rows = zip(*columns.values(), strict=False)
        cell = [dict(zip(columns, row, strict=True)) for row in rows]
    if not isinstance(cell, list):
        return cell
    return [
        {**one, "gold_label": _gold_label(one.get("gold_label"))} if isinstance(one, dict) else one
        for one in cell
    ]


def _gold_label(label: Any) -> Any:
    is_number = isinstance(label, int) and not isinstance(label, bool)
    return HUB_LABELS[label] if is_number and 0 <= label < len(HUB_LABELS) else label


def _labelled(cluster: Any, where: Problem) -> tuple[list[Any], tuple[str, ...]] | Problem:
    """The sentences of a cluster and their ids, in the order of SIDES."""
    called = f"cluster {where.item!r}"
    candidates = cluster.get("sentences") if isinstance(cluster, dict) else None
    if not isinstance(candidates, list) or "context" not in cluster:
        reason = f"{called} is not an object with id, target, bias_type, context and sentences"
        return replace(where, reason=reason, way_out="correct it, or remove it")
    if len(candidates) != len(SIDES):
        reason = f"{called} has {counted(len(candidates), 'candidates')} instead of {len(SIDES)}"
        return replace(where, reason=reason, way_out=f"give one each of {', '.join(LABELS)}")
    sentences: list[Any] = [None] * len(SIDES)
    names = [""] * len(SIDES)
    for candidate in candidates:
        label = candidate.get("gold_label") if isinstance(candidate, dict) else None
        side = LABELS.get(label) if isinstance(label, str) else None
        if side is None or names[side]:
            what = "no gold label" if label is None else f"the gold label {label!r}"
            twice = " a second time" if side is not None else ""
            reason = f"{called}: a candidate has {what}{twice}"
            return replace(where, reason=reason, way_out=f"give one each of {', '.join(LABELS)}")
        sentences[side] = candidate.get("sentence")
        names[side] = label_of(candidate.get("id")) or f"{where.item}/{SIDES[side]}"
    return sentences, tuple(names)


def _unusable(bare: Triple) -> Iterator[tuple[str, str]]:
    """Why a triple cannot be scored, and the way out; once the first is solved, others may remain."""
    intrasentence = bare.task == "intrasentence"
    for name, text in (("context", bare.context), *zip(SIDES, bare.sentences, strict=True)):
        if intrasentence and name != "context" and isinstance(text, str) and not text.strip():
            yield f"the {name} candidate has an empty attribute", "write what fills the BLANK"
        elif wrong := complaint(text):
            yield f"the {name} text {wrong[0]}", wrong[1]
    for axis, label in (("target", bare.target), ("domain", bare.domain)):
        if label and (wrong := complaint(label)):
            yield f"the {axis} {wrong[0]}", wrong[1]
    if not bare.target:
        yield "target is empty", "name the term it is about"
    if intrasentence and BLANK not in bare.context:
        reason = f"there is no {BLANK} in the context of an intrasentence test"
        yield reason, f"write {BLANK} where the candidates go"
    if len({normal(text).casefold() for text in bare.sentences}) < len(SIDES):
        yield "two of the candidates are the same", "correct one, or remove the cluster"


def _with_attributes(triple: Triple, *, words: bool) -> Triple:
    """With what fills the BLANK; with `words`, the candidates may be just that."""
    if words and not any(resembles(triple.context, text) for text in triple.sentences):
        whole = tuple(triple.context.replace(BLANK, fill) for fill in triple.sentences)
        sentences = cast("tuple[str, str, str]", whole)
        return replace(triple, attributes=triple.sentences, sentences=sentences)
    fills = tuple(attribute(triple.context, sentence) for sentence in triple.sentences)
    return replace(triple, attributes=fills)


def _unusable_attributes(triple: Triple) -> Iterator[tuple[str, str]]:
    for side, fill in zip(SIDES, triple.attributes, strict=False):
        if BLANK in fill:
            yield f"the {side} candidate still holds {BLANK}", "write what fills it"
        if not fill.strip():
            why = "(its sentence puts nothing in BLANK's place, or is another sentence)"
            yield f"the {side} candidate has an empty attribute {why}", "write what fills the BLANK"
    if len({fill.casefold() for fill in triple.attributes}) < len(triple.attributes):
        yield "two candidates fill the BLANK in the same way", "correct one, or remove the cluster"


def _label(cell: Any) -> str:
    """A label that is text or a whole number; "" for anything else."""
    return label_of(cell) if isinstance(cell, str | int) and not isinstance(cell, bool) else ""
