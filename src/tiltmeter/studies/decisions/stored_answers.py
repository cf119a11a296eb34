"""Replies and outcomes that somebody stored with the candidates whom they are about."""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Unpack

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.model.conversations import Reply
from tiltmeter.core.records import Record
from tiltmeter.core.study import Reading, StoredReplies
from tiltmeter.scoring.prompted_texts import ORDER, WORD
from tiltmeter.scoring.reply_scores import read_answer, reply_record, scores_of
from tiltmeter.scoring.written_answers import first_word
from tiltmeter.studies.decisions.candidate_files import read_answers
from tiltmeter.studies.decisions.candidates import DESIGN, OUTCOMES, RANKED
from tiltmeter.study_families.own_questions import refuse_data


def stored_answers(
    path: Path,
    items: Dataset[PromptedText] | None,
    as_reply: Callable[[str], Reply],
    *,
    settings: Mapping[str, str] | None = None,
    **reading: Unpack[Reading],
) -> StoredReplies[PromptedText]:
    """Replies or outcomes in a file that has the candidates as well."""
    refuse_data(items, path, "the file has the candidates")
    made, answers = read_answers(path, settings=settings, **reading)
    rule = ORDER if made.clusters in RANKED else WORD
    whole = cache(as_reply)  # each candidate of a ranking comes with the whole reply
    replies = [
        _outcome(item, answer) if item.groups[DESIGN] == OUTCOMES else whole(answer)
        for item, answer in zip(made.items, answers, strict=True)
    ]
    return StoredReplies(made, replies, rule.name)


def _outcome(item: PromptedText, outcome: str) -> Record:
    """The record of what somebody decided about a candidate: nobody wrote a reply."""
    decided = Reply(outcome)
    return reply_record(
        item, decided, scores_of(item, read_answer(first_word, decided, item.options))
    )
