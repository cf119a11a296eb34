"""Answers to the questions that another program stored in a file in BBQ's layout."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from tiltmeter.core.conventions import with_defaults
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.errors import BadInput
from tiltmeter.core.model.conversations import Reply
from tiltmeter.core.reading.typed_values import Fault
from tiltmeter.core.results import Note
from tiltmeter.core.study import Reading, StoredReplies
from tiltmeter.data.files.likely_columns import with_likely_columns
from tiltmeter.data.files.table import listed
from tiltmeter.data.files.tables import has_columns, read_table
from tiltmeter.scoring.option_numbers import first_number, option_named
from tiltmeter.studies.bbq.questions import ROLES, SETTINGS, BiasQuestion, load, read_questions
from tiltmeter.study_families.own_questions import refuse_data


def has_answers(path: Path, encoding: str = "") -> bool:
    """Whether a file has BBQ's layout and a column of answers."""
    return has_columns(path, ("context_condition", "question_polarity", "ans0", "answer"), encoding)


def stored_answers(
    path: Path,
    items: Dataset[PromptedText] | None,
    as_reply: Callable[[str], Reply],
    *,
    settings: Mapping[str, str] | None = None,
    **reading: Unpack[Reading],
) -> StoredReplies[PromptedText]:
    """Answers that another program stored in a column `answer` of a file in BBQ's layout."""
    refuse_data(items, path, "the file of answers has the questions")
    columns = read_table(path, encoding=reading.get("encoding", ""), known=None).columns
    if "biased_answer" in columns:
        reason = "in KoBBQ's layout the column answer is the right one"
        raise BadInput(reason, "store the answers in BBQ's layout", file=path.name)
    if "answer" not in columns:
        reason = f"no column is named answer (found: {listed(columns)})"
        way_out = with_likely_columns("name it with --map answer=COLUMN", columns)
        raise BadInput(reason, way_out, file=path.name, line=1)
    values = with_defaults(SETTINGS, settings)
    for name, refused in (("orders", {"mixed", "all"}), ("unknown", {"mixed"})):
        if values[name] in refused:
            reason = f"{name} is {values[name]}, and stored answers are to the data's questions"
            raise BadInput(reason, f"leave out --set {name}", file=path.name)
    made = load(path, settings=values, **reading)
    questions, _ = read_questions([path], **reading)
    replies, notes = _replies(questions, path, as_reply)
    made = replace(made, notes=(*made.notes, *notes))
    return StoredReplies(made, [replies[item.id] for item in made.items], "word")


def _replies(
    questions: Iterable[BiasQuestion], path: Path, as_reply: Callable[[str], Reply]
) -> tuple[dict[str, Reply], list[Note]]:
    """The reply to each question, by its id. The number or letter of an option is read as that option.

    Raises:
        BadInput: Nothing shows whether numbers count from 0 or from 1.
    """
    read = list(questions)
    replies = {question.id: as_reply(question.answer) for question in read}
    truths = (str(question.order[question.truth]) for question in read)
    first = first_number((reply.text for reply in replies.values()), truths, len(ROLES))
    named = False
    for question in read:
        options, reply = (
            [question.options[place] for place in question.in_data],
            replies[question.id],
        )
        try:
            answer = option_named(reply.text, options, first)
        except Fault as fault:
            raise BadInput(
                f"{question.id}: {fault.reason}", "store the options themselves", file=path.name
            ) from None
        named = named or answer != reply.text
        replies[question.id] = replace(reply, text=answer)
    notes = []
    if named:
        how = "letters or numbers" if first is None else f"letters, or numbers from {first},"
        text = f"Answers that are {how} stand for the options ans0, ans1, ans2."
        notes.append(Note("data", text))
    return replies, notes
