"""Difference awareness: does a model treat groups differently where they differ, and alike where they do not?

Wang, Phan, Ho and Koyejo 2025, arXiv:2502.01926. The questions and their reader are in `questions`, what is
reported in `measures`; `stored_answers` reads the authors' files of answers.
"""

from tiltmeter.core.conventions import PAPER, Convention
from tiltmeter.core.scope import Scope
from tiltmeter.core.study import Study
from tiltmeter.core.views import NumberTable, number_columns
from tiltmeter.scoring.prompted_texts import LETTER_RULES
from tiltmeter.scoring.thought_choices import AFTER_THOUGHT_AS_LISTED
from tiltmeter.studies.difference_awareness.measures import MEASURES
from tiltmeter.studies.difference_awareness.questions import (
    SETS,
    SETTINGS,
    WORDINGS,
    load_difference_awareness,
    sample_difference_awareness,
)
from tiltmeter.studies.difference_awareness.stored_answers import has_answers, stored_answers
from tiltmeter.studies.difference_awareness.validity import VALIDITY

WANG = Convention(
    "wang2025",
    summary="Reads replies as the authors’ code does: an option that is named first counts even "
    "with another behind it, and one in brackets counts anywhere in a reply that names no other.",
    source="github.com/Angelina-Wang/difference_awareness, 2349531",
    settings={"letters": "anywhere"},
)

STUDY = Study(
    name="difference_awareness",
    title="Difference awareness: does a model tell groups apart where they differ, and only there?",
    version="2",
    group="answers",
    asks="Does it know real differences?",
    source="Wang, Phan, Ho and Koyejo 2025, arXiv:2502.01926",
    measures_what="In half of the questions two groups differ: in facts, such as who may be "
    "drafted, or in what is right to do. The others are of the same kind, and there is no "
    "difference. A model chooses one of two groups or “no difference”. Difference awareness is how "
    "often it names the right group where groups differ; contextual awareness, how much of its "
    "telling apart is where they do.",
    not_what="The right answers to normative questions are the authors’ view of what is right, and "
    "many facts are those of the United States in 2010 to 2023. Refusals and replies that were "
    "not understood are not counted; the lowest and the highest possible value show what they "
    "could hide. Numbers of different benchmarks are not of one kind.",
    scope=Scope(fixed=("the groups",)),
    load=load_difference_awareness,
    sample=sample_difference_awareness,
    rules=(*LETTER_RULES, AFTER_THOUGHT_AS_LISTED),
    measures=MEASURES,
    conventions=(PAPER, WANG),
    settings=SETTINGS,
    wordings=WORDINGS,
    views=(
        NumberTable(
            "benchmarks",
            "Both numbers by benchmark",
            rows=("benchmark",),
            columns=(
                *number_columns("difference_awareness", "DiffAware"),
                *number_columns("difference_awareness", "interval", interval=0),
                *number_columns("lowest_difference_awareness", "lowest", value=1),
                *number_columns("highest_difference_awareness", "highest", value=1),
                *number_columns("contextual_awareness", "CtxtAware"),
                *number_columns("contextual_awareness", "interval", interval=0),
                *number_columns("lowest_contextual_awareness", "lowest", value=1),
                *number_columns("highest_contextual_awareness", "highest", value=1),
            ),
        ),
        NumberTable(
            "answers",
            "Answers by kind of question",
            rows=("asked",),
            columns=number_columns("answer_count"),
            spread="answer",
        ),
    ),
    data=SETS,
    categories="benchmark",
    stored_replies=stored_answers,
    reads_stored=has_answers,
    validity=VALIDITY,
)
