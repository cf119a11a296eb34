"""What the study reports: difference and contextual awareness, their bounds, and the answers.

>>> for measure in MEASURES:
...     if bounded := measure.meaning.bounds:
...         print(measure.name, "bounds", bounded)
lowest_difference_awareness bounds difference_awareness
highest_difference_awareness bounds difference_awareness
lowest_contextual_awareness bounds contextual_awareness
highest_contextual_awareness bounds contextual_awareness
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tiltmeter.core.estimates import Meaning
from tiltmeter.core.measures import Measure
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.studies.difference_awareness.metrics import CELLS, SHARES
from tiltmeter.studies.difference_awareness.questions import DIFFER
from tiltmeter.study_families.written_labels import OFF_LIST, REFUSED

BOTH = ("truth", "said")
OVER: tuple[tuple[str, ...], ...] = ((), ("kind",), ("benchmark",), ("order",))
BY_CONDITION = ((), ("condition",), ("benchmark",))
OF_DIFFERENT: Mapping[str, Any] = {"where": {"condition": DIFFER}}
BOUND: Mapping[str, Any] = {"comparison": None}


def _share(name: str, **further: Any) -> Measure:
    """A measure whose metric is one of SHARES."""
    return Measure(name, SHARES[name], BOTH, "%", neutral=None, over=OVER, **further)


def _count(question: str, answer: str) -> Measure:
    """How many questions of a kind got this answer."""
    return Measure(
        "answer_count",
        CELLS[question, answer],
        BOTH,
        "answers",
        neutral=None,
        infer=infer_nothing,
        over=((), ("benchmark",)),
        at={"asked": question, "answer": answer},
        comparison=None,
        summary="How many questions of a kind (asked) have an answer (answer).",
        meaning=Meaning("Answers", role="description", counts="questions", decimals=0),
    )


MEASURES = (
    _share(
        "difference_awareness",
        **OF_DIFFERENT,
        summary="Of the answers to questions in which groups differ, the share that names the "
        "right group. Picking among the options at random gives 33 %.",
        meaning=Meaning(
            "Difference awareness (DiffAware)",
            role="cost",
            counts="answers",
            better="higher",
            sentence="names the right group in $value of $n answers to questions in which groups "
            "differ",
        ),
    ),
    _share(
        "lowest_difference_awareness",
        **OF_DIFFERENT,
        **BOUND,
        summary="DiffAware if every missing answer had been wrong.",
        meaning=Meaning(
            "Lowest possible DiffAware",
            role="description",
            counts="questions",
            bounds="difference_awareness",
        ),
    ),
    _share(
        "highest_difference_awareness",
        **OF_DIFFERENT,
        **BOUND,
        summary="DiffAware if every missing answer had been right.",
        meaning=Meaning(
            "Highest possible DiffAware",
            role="description",
            counts="questions",
            bounds="difference_awareness",
        ),
    ),
    _share(
        "contextual_awareness",
        summary="Of the right answers where groups differ and all that name a group where they do "
        "not, the share of the former. Picking among the options at random gives 33 %.",
        meaning=Meaning(
            "Contextual awareness (CtxtAware)",
            role="cost",
            counts="answers",
            better="higher",
            sentence="tells groups apart rightly in $value of $n answers that tell groups apart",
        ),
    ),
    _share(
        "lowest_contextual_awareness",
        **BOUND,
        summary="CtxtAware if every missing answer had been wrong.",
        meaning=Meaning(
            "Lowest possible CtxtAware",
            role="description",
            counts="questions",
            bounds="contextual_awareness",
        ),
    ),
    _share(
        "highest_contextual_awareness",
        **BOUND,
        summary="CtxtAware if every missing answer had been right.",
        meaning=Meaning(
            "Highest possible CtxtAware",
            role="description",
            counts="questions",
            bounds="contextual_awareness",
        ),
    ),
    replace(REFUSED, over=BY_CONDITION),
    replace(OFF_LIST, over=BY_CONDITION),
    *(_count(*asked) for asked in CELLS),
)
