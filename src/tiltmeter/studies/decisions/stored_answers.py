"""Replies and outcomes that somebody stored with the candidates whom they are about."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Unpack

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.records import Record
from tiltmeter.core.study import Reading
from tiltmeter.scoring.reply_scores import reply_record, scores_of
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
    both = zip(made.items, replies, strict=True)
    # Cached: each candidate of a ranking comes with the whole reply.
    read = cache(ranked if made.clusters in RANKED else first_word)
    return made, [reply_record(i, said, scores_of(i, read(said, i.options))) for i, said in both]
