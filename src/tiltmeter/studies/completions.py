"""Completions: how often does a judge flag what a model writes about people of a group?

BOLD (Dhamala et al. 2021), HONEST (Nozza, Bianchi and Hovy 2021), and prompts of the user's.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tiltmeter.core.analysis_views import REST, NumberColumn, NumberTable
from tiltmeter.core.results import Meaning
from tiltmeter.core.study import EVERY, PAPER, Comparison, Contrast, Convention, Measure, Study
from tiltmeter.core.views import WrittenTexts
from tiltmeter.data.prompts import completions as data
from tiltmeter.metrics import hypotheses, labels
from tiltmeter.metrics.counts import count_of
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.metrics.judged_texts import contrast_shares, corrected_share, infer_corrected
from tiltmeter.scoring import completions
from tiltmeter.scoring.completions import MOST_VOTES, RULES, SOURCE
from tiltmeter.scoring.prompted_texts import WRITTEN_SETTINGS

OVER: tuple[tuple[str, ...], ...] = ((), ("domain",), ("group",))
JUDGED, PEOPLE, EVALUATE = {"judged": 1.0}, ("people_1",), "evaluate"
BY_PEOPLE = tuple(f"{name}_{n}" for name in ("people", "person") for n in range(1, MOST_VOTES + 1))
WITH_PEOPLE = ("flagged", *BY_PEOPLE)
COUNTS: Mapping[str, Any] = {"counts": "judged completions"}
SAMPLE = {"counts": "completions that people judged"}
SAME_JUDGE = Comparison(same=("judge", "flags", "judged"))
COST = {"role": "cost", "better": "lower"}
FLAGGED = count_of("flagged", labels.rate.cells, 2, [0], labels.rate.why)
AGREEMENT: Mapping[str, Any] = {
    "metric": hypotheses.hypothesis_share, "rests_on": hypotheses.counted_hypotheses, "comparison": None,
    "infer": partial(hypotheses.infer_hypothesis_share, units="prompts"),
}  # fmt: skip


def _share(
    name: str, columns: str | tuple[str, ...], title: str, summary: str, *,
    metric: Callable[..., float] = labels.rate, meaning: Mapping[str, Any] = COUNTS,
    over: tuple[tuple[str, ...], ...] = OVER, comparison: Comparison | None = SAME_JUDGE, **further: Any,
) -> Measure:  # fmt: skip
    """A share of completions, in percent; no value of it is neutral."""
    said = Meaning(title, **{"role": "description", "counts": "completions", **meaning})
    read = (columns,) if isinstance(columns, str) else columns
    return Measure(
        name, metric, read, "%", neutral=None, summary=summary, meaning=said, over=over,
        comparison=comparison, **further,
    )  # fmt: skip


def _gap(name: str, metric: Any, columns: tuple[str, ...], title: str, **further: Any) -> Measure:
    """A group's share less that of the others of its domain, in percentage points."""
    return Measure(
        name, metric, columns, "percentage points", neutral=0, over=(("domain",),), of_several=("domain",),
        summary="How much more often texts about a group are flagged than about the others of its domain.",
        contrast=Contrast("group", contrast_shares, against_rest=True), where=JUDGED, comparison=None,
        adjustment="Benjamini–Hochberg",
        meaning=Meaning(title, sides=("less often flagged", "more often flagged"),
                        neutral_is="the other groups", **COUNTS),
        **further,
    )  # fmt: skip


MEASURES = (
    _share(
        "corrected_share", WITH_PEOPLE, "Flagged completions, corrected",
        "The share of completions that people would flag: the judge's, corrected by what they said of a "
        "sample. The judge's errors are in the interval.",
        metric=corrected_share, infer=infer_corrected, over=(*OVER, EVERY), where=JUDGED, needs=PEOPLE,
        optional=BY_PEOPLE, comparison=None,
        meaning={**COUNTS, "sentence": "would have $value of $n $counts flagged by people, by their sample"},
    ),
    _share(
        "flagged_share", "flagged", "Flagged completions",
        "The share of completions that the judge flags, of those with something to judge. The interval is "
        "about other prompts, and not about the judge's errors.",
        over=(*OVER, EVERY), where=JUDGED,
        meaning={**COUNTS, "sentence": "has $value of $n $counts flagged by the judge, errors included"},
    ),
    _gap("corrected_gap", corrected_share, WITH_PEOPLE, "Difference in flagged completions, corrected",
         needs=PEOPLE, optional=BY_PEOPLE),
    _gap("flagged_gap", labels.rate, ("flagged",), "Difference in flagged completions"),
    _share("honest_score", "hit", "HONEST score",
           "Flagged completions of all: the score of HONEST, in percent. Empty replies and refusals count as "
           "not flagged, so it is the lowest that the share can be.", meaning={}),
    _share("highest_share", "possible", "Highest possible share",
           "The share if every completion without a verdict had been flagged.", meaning={}),
    _share("empty_rate", "empty", "Empty", "The share of completions without a word.", meaning=COST),
    _share("refusal_rate", "refused", "Refusal rate", "The share of replies that refuse.", meaning={}),
    _share("no_verdict_rate", "no_verdict", "No verdict",
           "The share of completions of which the judge gave no class.", meaning=COST, over=((),)),
    _share("cut_rate", "cut", "Cut off", "The share that was cut off at the longest allowed length.",
           meaning={}, over=((),)),
    _share("judge_agreement", "agrees", "Agreement of the judge with people",
           "The share of people who say what the judge says, of completions that people judged.",
           needs=PEOPLE, **AGREEMENT,
           meaning={**SAMPLE, "sentence": "has a judge that agrees with people on $value of $n $counts"}),
    _share("people_agreement", "people_agree", "Agreement of people with each other",
           "How often two people say the same of a completion: what a judge can reach at best.",
           needs=("people_agree",), **AGREEMENT, meaning=SAMPLE),
    Measure(
        "word_count", FLAGGED, ("hit",), "completions", neutral=None, infer=infer_nothing,
        over=(("word",),), comparison=None, summary="How many completions are flagged for this word.",
        meaning=Meaning("Flagged for the word", "flagged for it", role="description", counts="completions",
                        decimals=0),
    ),
    _share("evaluate_score", "whole", "HONEST score as evaluate computes it",
           "The share of completions that are, as a whole, a listed word: sentences never are.",
           meaning={}, over=((),), needs=("whole",), conventions=(EVALUATE,), infer=infer_nothing,
           comparison=None),
)  # fmt: skip
STUDY = Study(
    name="completions",
    title="Completions: how often does a judge flag what a model writes, by group?",
    version="1",
    source=SOURCE,
    measures_what=(
        "A model continues the beginnings of texts about people of a group, and a judge with a name says "
        "which completions it flags: as negative, or for a listed word, or by labels of its own."
    ),
    not_what=(
        "A judge is not people: it errs, and more often about some groups than about others. Only the "
        "corrected numbers, from a sample that people judged, say what people would flag. A model that "
        "refuses or writes nothing is not fair but silent: the highest possible share says what that could "
        "hide."
    ),
    load=data.load_completions,
    sample=data.sample_completions,
    rules=RULES,
    measures=MEASURES,
    conventions=(
        PAPER,
        Convention(EVALUATE, "Adds the HONEST score as Hugging Face's evaluate computes it.",
                   "evaluate, measurements/honest"),
    ),
    settings=(*data.SETTINGS, *completions.SETTINGS, *WRITTEN_SETTINGS),
    data=data.SETS,
    categories="domain",
    views=(
        *(NumberTable(f"{name}s", "Differences between groups", (REST,),
                      (NumberColumn(name, heading="points"), NumberColumn(name, "interval"),
                       NumberColumn(name, "p_adjusted"), NumberColumn(name, "n", drop=1)), caption=caption)
          for name, caption in (("corrected_gap", "Flagged more often than the others, corrected by people"),
                                ("flagged_gap", "Flagged more often than the others, by the judge"))),
        NumberTable(
            "outcomes", "All completions by group", ("group",),
            tuple(map(NumberColumn, ("honest_score", "highest_share", "empty_rate", "refusal_rate"))),
        ),
        NumberTable("words", "Words that drive the score", ("word",), (NumberColumn("word_count"),),
                    order="high", most=15),
        WrittenTexts(("prompt", "text"), "group", ("flagged", "empty", "refused", "no_verdict", "cut"),
                     called="completions", keywords="domain"),
    ),
    reads=data.is_honest,
)  # fmt: skip
