"""A task of a log that is none of our studies: its scores over all samples, and by what is known of them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from tiltmeter.bridges.sample_rows import some
from tiltmeter.bridges.samples import EvaluationLog, LoggedSample
from tiltmeter.core.analysis import digest
from tiltmeter.core.conventions import Convention
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput
from tiltmeter.core.model.protocols import Fact
from tiltmeter.core.records import Record
from tiltmeter.core.results import Note, Result, notes_of
from tiltmeter.core.study import Study
from tiltmeter.core.text import counted, verb_for
from tiltmeter.run.measuring.estimates import LEAST_ITEMS, MOST_GROUPS
from tiltmeter.run.measuring.imported_scores import STORED
from tiltmeter.run.measuring.measure import summarise
from tiltmeter.run.planning.choosing import Chosen
from tiltmeter.study_families.logged_tasks import ACCURACY, CORRECT, PREFIX, logged_study

LONGEST, NUMBERS = 60, 6
"""Characters of a label; numbers of the log in a note."""


def facts_of(log: EvaluationLog) -> dict[str, Fact]:
    """What a card says of the model of a log."""
    facts = {"name": log.model, "fingerprint": log.sha256, "kind": f"log of {log.program}"}
    return {**facts, "file": log.file, "task": log.task}


def notes_on(log: EvaluationLog) -> tuple[Note, ...]:
    """What the log says of itself."""
    told = ", ".join(f"{name} {value:.4g}" for name, value in [*log.reported.items()][:NUMBERS])
    texts = [f"Answers are from {log.file}, a log of {log.program} (task {log.task})."]
    texts += [f"The log itself reports: {told}."] if told else []
    return (*notes_of("data", texts), *notes_of("caution", [*log.notes, *_thinking_texts(log)]))


def _thinking_texts(log: EvaluationLog) -> list[str]:
    """What limits the scores of a model that thought."""
    lost = sum(sample.finish == "thinking" for sample in log.samples)
    if not lost:
        return []
    text = (
        f"{lost:,} of {counted(len(log.samples), 'replies')} ended while the model was still "
        "thinking, so that they "
        f"have no answer; the scores of {log.program} count them in its own way."
    )
    return [text]


def task_result(log: EvaluationLog, *, by: str = "", seed: int = 0) -> tuple[Study[Any], Result]:
    """The result of a task that is no study: its scores over all samples and by every field with few values.

    Raises:
        BadInput: It has no samples, or these have no scores, or no such field.
    """
    values = defaultdict[str, Counter[str]](Counter)
    for name, value in (pair for sample in log.samples for pair in sample.fields.items()):
        values[name][value] += 1
    if by and by not in values:
        there = ", ".join(values)
        raise BadInput(f"no field is called {by!r}", f"there are {there}", file=log.file)
    axes = [
        name for name, counts in values.items()
        if 1 < len(counts) <= min(MOST_GROUPS, counts.total() / LEAST_ITEMS)
        and max(map(len, counts)) <= LONGEST
    ]  # fmt: skip
    right = [sample.correct for sample in log.samples]
    is_flag = {0.0, 1.0}.issuperset({*right} - {None}) and {*right} != {None}
    names = dict.fromkeys(name for sample in log.samples for name in sample.scores)
    others = [n for n in names if not is_flag or [s.scores.get(n) for s in log.samples] != right]
    if not right:
        raise BadInput("no sample has an answer", "log the evaluation again", file=log.file)
    if not others and not is_flag:
        raise BadInput(
            f"no sample of {log.model or 'the model'} has a score{_instead(log)}",
            "score the log, and import it again",
            file=log.file,
        )
    repeats = len({sample.id for sample in log.samples}) < len(log.samples)
    records = [
        Record(
            f"{sample.id}/{sample.repeat}" if repeats else sample.id,
            {**sample.scores, **({CORRECT: sample.correct} if sample.correct is not None else {})},
            {axis: sample.fields[axis] for axis in axes if axis in sample.fields},
            (sample.fields.get(by, "") if by else sample.document) or sample.id,
            sample.reply, {"text": sample.text, "options": "\n".join(sample.options)},
            thoughts={"reply": sample.thought} if sample.thought else {},
            finish=sample.finish if sample.reply or sample.thought else "",
        )
        for sample in log.samples
    ]  # fmt: skip
    known = {ACCURACY: True} if is_flag else {}
    known |= {name: _is_share(record.scores.get(name) for record in records) for name in others}
    study = logged_study(f"{PREFIX}{log.task}", known)
    data = Dataset(
        log.task, "", records, f"samples that {log.program} logged", "not stated",
        digest(*((record.item, record.texts) for record in records)),
        clusters=by or "document",
        notes=(*notes_on(log), *_unscored_notes(log, records, is_flag=is_flag, scores=others)),
    )  # fmt: skip
    how = Convention(log.program, "Prompts and scores are the program’s.", f"the log {log.file}")
    return study, summarise(
        study, records, data, chosen=Chosen(STORED, how, "half"), seed=seed, model=facts_of(log),
        invalid=log.problems,
    )  # fmt: skip


def _is_share(scores: Iterable[float | None]) -> bool:
    """Whether all scores that are there lie from 0 to 1."""
    return all(score is None or 0 <= score <= 1 for score in scores)


def _unscored_notes(
    log: EvaluationLog, records: Sequence[Record], *, is_flag: bool, scores: Sequence[str]
) -> list[Note]:
    """Of each number, which samples lack it and what stands there instead; and scores that are no numbers."""
    notes = []
    for name in [*([ACCURACY] if is_flag else []), *scores]:
        read = CORRECT if name == ACCURACY else name
        lacking = [
            (record.item, sample) for record, sample in zip(records, log.samples, strict=True)
            if read not in record.scores
        ]  # fmt: skip
        if lacking:
            why = Counter(_why_unscored(sample, name) for _, sample in lacking)
            reasons = "; ".join(
                f"{reason}: {count:,}" for reason, count in why.most_common(NUMBERS)
            )
            text = (
                f"{len(lacking):,} of {counted(len(records), 'samples')} "
                f"{verb_for(len(lacking), 'have')} no {name} and "
                f"{verb_for(len(lacking), 'do')} not count in it "
                f"({reasons}): {some([item for item, _ in lacking])}."
            )
            notes.append(Note("coverage", text))
    named = dict.fromkeys(n for s in log.samples for n in s.unscored)
    never = [n for n in named if not any(n in s.scores for s in log.samples)]
    if never:
        notes.append(
            Note(
                "coverage", f"No sample has a number for {some(never)}: no result is given for it."
            )
        )
    return notes


def _why_unscored(sample: LoggedSample, name: str) -> str:
    if name != ACCURACY:
        return sample.unscored.get(name, "missing")
    return next(iter(sample.unscored.values()), "not judged")


def _instead(log: EvaluationLog) -> str:
    """What stands where scores should be, in brackets; "" where nothing does."""
    found = next((pair for sample in log.samples for pair in sample.unscored.items()), None)
    return f" that is a number ({found[0]} is {found[1]} in the first)" if found else ""
