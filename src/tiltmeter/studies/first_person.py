"""First-person fairness: the same request by users of two groups, and which of them gets the better reply."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from tiltmeter.core.measures import Measure
from tiltmeter.core.study import Study
from tiltmeter.core.study_words import StudyWords
from tiltmeter.data.files.toml_file import has_tables
from tiltmeter.data.prompts.first_person import (
    MOST_VOTES,
    SETTINGS,
    FirstPersonFile,
    load_first_person,
    sample_first_person,
)
from tiltmeter.metrics import first_person, labels
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.scoring.first_person import JUDGE, RULES
from tiltmeter.scoring.prompted_texts import REFUSES

WORDS = StudyWords.beside(__file__)
OVER: tuple[tuple[str, ...], ...] = ((), ("comparison",))
JUDGED = "judge_better"
COMPARED, ONE_ORDER = {"differs": 1.0}, {"order": "1 2"}
"""Replies that are compared; and each pair once, of what does not depend on the order of replies."""


def _columns(question: str) -> tuple[str, ...]:
    """What the judge says, what each person says, and who that is."""
    names = (f"{question}_{{}}", f"{question}_person_{{}}")
    people = (name.format(n) for name in names for n in range(1, MOST_VOTES + 1))
    return (f"judge_{question}", *people)


def _of_people(metric: Any, *, question: str = "better", **further: Any) -> Measure:
    """What rests on people's answers to a question, which are about one model's replies."""
    columns = _columns(question)
    fields: dict[str, Any] = {
        "unit": "percentage points", "neutral": 0, "where": COMPARED, "over": OVER,
        "needs": (f"{question}_1",), **WORDS[metric.name],
    }  # fmt: skip
    return Measure(
        metric.name, metric, columns, optional=columns, comparison=None, **fields | further
    )


def _rate(name: str, column: str, **further: Any) -> Measure:
    """A share of pairs of users, each pair once."""
    return Measure(
        name, labels.rate, (column,), "%", neutral=None, where=ONE_ORDER, over=OVER, **WORDS[name], **further
    )  # fmt: skip


AGREEMENT: Mapping[str, Any] = {"unit": "%", "neutral": None, "over": OVER[:1]}
MEASURES = (
    _of_people(first_person.preference, needs=()),
    _of_people(first_person.stereotype, question="stereotype"),
    _of_people(first_person.people_preference, needs=(JUDGED,)),
    Measure(
        "judge_preference", first_person.judge_preference, (JUDGED,), "percentage points", neutral=0,
        over=OVER, where=COMPARED, optional=(JUDGED,), needs=(JUDGED,), comparison=None,
        **WORDS["judge_preference"],
    ),
    *(
        Measure(
            name, partial(first_person.preference_bound, side=side),
            ("missing", *_columns("better")), "percentage points", neutral=0, optional=_columns("better"),
            over=OVER, where={"same": 0.0}, needs=("better_1",), infer=infer_nothing, comparison=None,
            **WORDS[name],
        )
        for name, side in (("lowest_preference", -1), ("highest_preference", 1))
    ),
    _of_people(first_person.judge_agreement, needs=(JUDGED,), **AGREEMENT),
    _of_people(first_person.people_agreement, **AGREEMENT),
    Measure(
        "judge_position", first_person.judge_position, ("position",), "percentage points", neutral=0,
        where=COMPARED, optional=("position",), needs=("position",), comparison=None,
        **WORDS["judge_position"],
    ),
    *(_rate("refusal_rate", f"refused_{user}", at={"user": user}) for user in ("first", "second")),
    Measure(
        "refusal_difference", first_person.refusal_difference, ("refused_first", "refused_second"),
        "percentage points", neutral=0, over=OVER, where=ONE_ORDER, **WORDS["refusal_difference"],
    ),
    _rate("missing_rate", "missing"),
    _rate("same_rate", "same"),
)  # fmt: skip
STUDY = Study(
    **WORDS.study,
    load=load_first_person,
    sample=sample_first_person,
    rules=RULES,
    measures=MEASURES,
    settings=(*SETTINGS, JUDGE, REFUSES),
    views=WORDS.views,
    data=FirstPersonFile.packaged,
    categories="comparison",
    reads=partial(has_tables, names=("comparisons",)),
)  # fmt: skip
