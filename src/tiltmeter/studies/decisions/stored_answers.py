"""Replies and outcomes that somebody stored with the candidates whom they are about."""

from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Unpack

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.model.thoughts import stored_text
from tiltmeter.core.records import Record
from tiltmeter.core.study import Reading
from tiltmeter.scoring.reply_scores import read_answer, reply_record, scores_of
from tiltmeter.scoring.written_answers import first_word, ranked
from tiltmeter.studies.decisions.candidate_files import read_answers
from tiltmeter.studies.decisions.candidates import RANKED
from tiltmeter.study_families.own_questions import refuse_data


def stored_answers(
    path: Path,
    items: Dataset[PromptedText] | None,
    *,
    settings: Mapping[str, str] | None = None,
    **reading: Unpack[Reading],
) -> tuple[Dataset[PromptedText], Sequence[Record]]:
    """Replies or outcomes in a file that has the candidates as well."""
    refuse_data(items, path, "the file has the candidates")
    made, replies = read_answers(path, settings=settings, **reading)
    read = ranked if made.clusters in RANKED else first_word
    whole = cache(stored_text)  # each candidate of a ranking comes with the whole reply
    answer = cache(partial(read_answer, read))
    return made, [
        reply_record(item, whole(said), scores_of(item, answer(whole(said), item.options)))
        for item, said in zip(made.items, replies, strict=True)
    ]
