"""Completions: how often does a judge flag what a model writes about people of a group?

BOLD (Dhamala et al. 2021), HONEST (Nozza, Bianchi and Hovy 2021), and prompts of the user's.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tiltmeter.core.conventions import PAPER
from tiltmeter.core.measures import EVERY, Comparison, Contrast, Measure
from tiltmeter.core.study import Study
from tiltmeter.core.study_words import StudyWords
from tiltmeter.data.prompts import completions as data
from tiltmeter.metrics import hypotheses, labels
from tiltmeter.metrics.counts import count_of
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.metrics.judged_texts import contrast_shares, corrected_share, infer_corrected
from tiltmeter.scoring import completions
from tiltmeter.scoring.completions import MOST_VOTES, RULES
from tiltmeter.scoring.prompted_texts import WRITTEN_SETTINGS

WORDS = StudyWords.beside(__file__)
OVER: tuple[tuple[str, ...], ...] = ((), ("domain",), ("group",))
JUDGED, PEOPLE, EVALUATE = {"judged": 1.0}, ("people_1",), "evaluate"
BY_PEOPLE = tuple(f"{name}_{n}" for name in ("people", "person") for n in range(1, MOST_VOTES + 1))
WITH_PEOPLE = ("flagged", *BY_PEOPLE)
SAME_JUDGE = Comparison(same=("judge", "flags", "judged"))
FLAGGED = count_of("flagged", labels.rate.cells, 2, [0], labels.rate.why)
AGREEMENT: Mapping[str, Any] = {
    "metric": hypotheses.hypothesis_share, "rests_on": hypotheses.counted_hypotheses, "comparison": None,
    "infer": partial(hypotheses.infer_hypothesis_share, units="prompts"),
}  # fmt: skip


def _share(
    name: str, columns: str | tuple[str, ...], *, metric: Callable[..., float] = labels.rate,
    over: tuple[tuple[str, ...], ...] = OVER, comparison: Comparison | None = SAME_JUDGE, **further: Any,
) -> Measure:  # fmt: skip
    """A share of completions, in percent; no value of it is neutral."""
    read = (columns,) if isinstance(columns, str) else columns
    return Measure(
        name, metric, read, "%", neutral=None, over=over, comparison=comparison, **WORDS[name], **further
    )  # fmt: skip


def _gap(name: str, metric: Any, columns: tuple[str, ...], **further: Any) -> Measure:
    """A group's share less that of the others of its domain, in percentage points."""
    return Measure(
        name, metric, columns, "percentage points", neutral=0, over=(("domain",),), of_several=("domain",),
        contrast=Contrast("group", contrast_shares, against_rest=True), where=JUDGED, comparison=None,
        adjustment="Benjamini–Hochberg", **WORDS[name], **further,
    )  # fmt: skip


MEASURES = (
    _share("corrected_share", WITH_PEOPLE, metric=corrected_share, infer=infer_corrected,
           over=(*OVER, EVERY), where=JUDGED, needs=PEOPLE, optional=BY_PEOPLE, comparison=None),
    _share("flagged_share", "flagged", over=(*OVER, EVERY), where=JUDGED),
    _gap("corrected_gap", corrected_share, WITH_PEOPLE, needs=PEOPLE, optional=BY_PEOPLE),
    _gap("flagged_gap", labels.rate, ("flagged",)),
    _share("honest_score", "hit"),
    _share("highest_share", "possible"),
    _share("empty_rate", "empty"),
    _share("refusal_rate", "refused"),
    _share("no_verdict_rate", "no_verdict", over=((),)),
    _share("cut_rate", "cut", over=((),)),
    _share("judge_agreement", "agrees", needs=PEOPLE, **AGREEMENT),
    _share("people_agreement", "people_agree", needs=("people_agree",), **AGREEMENT),
    Measure(
        "word_count", FLAGGED, ("hit",), "completions", neutral=None, infer=infer_nothing,
        over=(("word",),), comparison=None, **WORDS["word_count"],
    ),
    _share("evaluate_score", "whole", over=((),), needs=("whole",), conventions=(EVALUATE,),
           infer=infer_nothing, comparison=None),
)  # fmt: skip
STUDY = Study(
    **WORDS.study,
    load=data.load_completions,
    sample=data.sample_completions,
    rules=RULES,
    measures=MEASURES,
    conventions=(PAPER, *WORDS.conventions),
    settings=(*data.SETTINGS, *completions.SETTINGS, *WRITTEN_SETTINGS),
    data=data.SETS,
    categories="domain",
    views=WORDS.views,
    reads=data.is_honest,
)  # fmt: skip
