"""Completions: how often does a judge flag what a model writes about people of a group?

BOLD (Dhamala et al. 2021), HONEST (Nozza, Bianchi and Hovy 2021), and prompts of the user's.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tiltmeter.core.control_items import ControlItems
from tiltmeter.core.conventions import PAPER, Convention
from tiltmeter.core.estimates import Meaning
from tiltmeter.core.measures import EVERY, Comparison, Contrast, Measure
from tiltmeter.core.scope import Scope
from tiltmeter.core.study import Study
from tiltmeter.core.study_views import WrittenTexts
from tiltmeter.core.views import NumberTable, number_columns
from tiltmeter.metrics import hypotheses, labels
from tiltmeter.metrics.counts import count_of
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.scoring.prompted_texts import WRITTEN_SETTINGS
from tiltmeter.studies.completions import prompts, rule
from tiltmeter.studies.completions.metrics import contrast_shares, corrected_share, infer_corrected
from tiltmeter.studies.completions.validity import VALIDITY
from tiltmeter.studies.completions.words_of_one_group import LESS, with_words_of_one_group
from tiltmeter.studies.completions.words_of_one_group import VIEWS as VIEWS_OF_WORDS

OVER: tuple[tuple[str, ...], ...] = ((), ("domain",), ("group",))
JUDGED, PEOPLE, EVALUATE = {"judged": 1.0}, ("people_1",), "evaluate"
BY_PEOPLE = tuple(
    f"{name}_{n}" for name in ("people", "person") for n in range(1, rule.MOST_VOTES + 1)
)
WITH_PEOPLE = ("flagged", *BY_PEOPLE)
SAME_JUDGE = Comparison(same=("judge", "flags", "judged"))
FLAGGED = count_of("flagged", labels.rate.cells, 2, [0], labels.rate.why)
AGREEMENT: Mapping[str, Any] = {
    "metric": hypotheses.hypothesis_share, "rests_on": hypotheses.counted_hypotheses, "comparison": None,
    "infer": partial(hypotheses.infer_hypothesis_share, units="prompts"),
}  # fmt: skip


def _share(
    name: str, columns: str | tuple[str, ...], summary: str, meaning: Meaning, *,
    metric: Callable[..., float] = labels.rate, over: tuple[tuple[str, ...], ...] = OVER,
    comparison: Comparison | None = SAME_JUDGE, **further: Any,
) -> Measure:  # fmt: skip
    """A share of completions, in percent; no value of it is neutral."""
    read = (columns,) if isinstance(columns, str) else columns
    return Measure(
        name, metric, read, "%", neutral=None, over=over, comparison=comparison, summary=summary,
        meaning=meaning, **further,
    )  # fmt: skip


def _gap(name: str, metric: Any, columns: tuple[str, ...], title: str, **further: Any) -> Measure:
    """A group's share minus that of the others of its domain, in percentage points."""
    return Measure(
        name, metric, columns, "percentage points", neutral=0, over=(("domain",),), of_several=("domain",),
        contrast=Contrast("group", contrast_shares, against_rest=True), where=JUDGED, comparison=None,
        adjustment="Benjamini–Hochberg",
        summary="How much more often texts about a group are flagged than about the others of its "
        "domain.",
        meaning=Meaning(title, counts="judged completions",
                        sides=("less often flagged", "more often flagged"), neutral_is="the other groups"),
        **further,
    )  # fmt: skip


def _gap_table(measure: str, by: str) -> NumberTable:
    """The differences of one measure, with what they rest on."""
    return NumberTable(
        f"{measure}s", "Differences between groups", caption=f"Flagged more often than the others, {by}",
        rows=("*",),
        columns=(
            *number_columns(measure, "points"), *number_columns(measure, interval=0),
            *number_columns(measure, p_adjusted=0), *number_columns(measure, n=1),
        ),
    )  # fmt: skip


MEASURES = (
    _share(
        "corrected_share",
        WITH_PEOPLE,
        summary="The share of completions that people would flag: the judge's, corrected by what "
        "they said of a sample. The judge's errors are in the interval.",
        meaning=Meaning(
            "Flagged completions, corrected",
            role="description",
            counts="judged completions",
            sentence="would have $value of $n $counts flagged by people, by their sample",
        ),
        metric=corrected_share,
        infer=infer_corrected,
        over=(*OVER, EVERY),
        where=JUDGED,
        needs=PEOPLE,
        optional=BY_PEOPLE,
        comparison=None,
    ),
    _share(
        "flagged_share",
        "flagged",
        summary="The share of completions that the judge flags, of those with something to judge. "
        "The interval is about other prompts, and not about the judge's errors.",
        meaning=Meaning(
            "Flagged completions",
            role="description",
            counts="judged completions",
            sentence="has $value of $n $counts flagged by the judge, errors included",
        ),
        over=(*OVER, EVERY),
        where=JUDGED,
    ),
    _gap(
        "corrected_gap",
        corrected_share,
        WITH_PEOPLE,
        "Difference in flagged completions, corrected",
        needs=PEOPLE,
        optional=BY_PEOPLE,
    ),
    _gap("flagged_gap", labels.rate, ("flagged",), "Difference in flagged completions"),
    _share(
        "honest_score",
        "hit",
        summary="Flagged completions of all: the score of HONEST, in percent. Empty replies and "
        "refusals count as not flagged, so it is the lowest that the share can be.",
        meaning=Meaning("HONEST score", role="description", counts="completions"),
    ),
    _share(
        "highest_share",
        "possible",
        summary="The share if every completion without a verdict had been flagged.",
        meaning=Meaning(
            "Highest possible share",
            role="description",
            counts="completions",
            bounds="flagged_share",
        ),
    ),
    _share(
        "empty_rate",
        "empty",
        summary="The share of completions without a word.",
        meaning=Meaning(
            "Empty",
            role="cost",
            counts="completions",
            better="lower",
            sentence="leaves $value of $n $counts empty",
        ),
    ),
    _share(
        "refusal_rate",
        "refused",
        summary="The share of replies that refuse.",
        meaning=Meaning(
            "Refusal rate",
            role="description",
            counts="completions",
            better="lower",
            sentence="refuses $value of $n $counts",
        ),
    ),
    _share(
        "no_verdict_rate",
        "no_verdict",
        summary="The share of completions of which the judge gave no class.",
        meaning=Meaning("No verdict", role="cost", counts="completions", better="lower"),
        over=((),),
    ),
    _share(
        "cut_rate",
        "cut",
        summary="The share that was cut off at the longest allowed length.",
        meaning=Meaning("Cut off", role="description", counts="completions"),
        over=((),),
    ),
    _share(
        "judge_agreement",
        "agrees",
        summary="The share of people who say what the judge says, of completions that people "
        "judged.",
        meaning=Meaning(
            "Agreement of the judge with people",
            role="description",
            counts="completions that people judged",
            sentence="has a judge that agrees with people on $value of $n $counts",
        ),
        needs=PEOPLE,
        **AGREEMENT,
    ),
    _share(
        "people_agreement",
        "people_agree",
        summary="How often two people say the same of a completion: what a judge can reach at "
        "best.",
        meaning=Meaning(
            "Agreement of people with each other",
            role="description",
            counts="completions that people judged",
        ),
        needs=("people_agree",),
        **AGREEMENT,
    ),
    Measure(
        "word_count",
        FLAGGED,
        ("hit",),
        "completions",
        neutral=None,
        infer=infer_nothing,
        over=(("word",),),
        comparison=None,
        summary="How many completions are flagged for this word.",
        meaning=Meaning(
            "Flagged for the word",
            "flagged for it",
            role="description",
            counts="completions",
            decimals=0,
        ),
    ),
    _share(
        "evaluate_score",
        "whole",
        summary="The share of completions that are, as a whole, a listed word: sentences never "
        "are.",
        meaning=Meaning(
            "HONEST score as evaluate computes it", role="description", counts="completions"
        ),
        over=((),),
        needs=("whole",),
        conventions=(EVALUATE,),
        infer=infer_nothing,
        comparison=None,
    ),
)
VIEWS = (
    *VIEWS_OF_WORDS,
    _gap_table("corrected_gap", "corrected by people"),
    _gap_table("flagged_gap", "by the judge"),
    NumberTable(
        "outcomes",
        "All completions by group",
        rows=("group",),
        columns=(
            *number_columns("honest_score"),
            *number_columns("highest_share"),
            *number_columns("empty_rate"),
            *number_columns("refusal_rate"),
        ),
    ),
    NumberTable(
        "words",
        "Words that drive the score",
        rows=("word",),
        columns=number_columns("word_count"),
        order="high",
        most=15,
    ),
    WrittenTexts(
        texts=("prompt", "text"),
        axis="group",
        marks=("flagged", "empty", "refused", "no_verdict", "cut"),
        called="completions",
        keywords="domain",
    ),
)
STUDY = Study(
    name="completions",
    title="Completions: how often does a judge flag what a model writes, by group?",
    version="2",
    group="writing",
    asks="Whose completions are flagged?",
    source="Dhamala et al. 2021, doi:10.1145/3442188.3445924; Nozza, Bianchi and Hovy 2021, "
    "doi:10.18653/v1/2021.naacl-main.191",
    measures_what="A model continues the beginnings of texts about people of a group, and a judge "
    "with a name says which completions it flags: as negative, or for a listed word, or by labels "
    "of its own.",
    not_what="A judge is not people: it errs, and more often about some groups than about others. "
    "Only the corrected numbers, from a sample that people judged, say what people would flag. "
    "Refusals and empty replies have no verdict: the highest possible share shows what they could hide.",
    scope=Scope(fixed=("the groups", "the judge")),
    load=prompts.load,
    sample=prompts.sample,
    rules=rule.RULES,
    measures=(*LESS, *MEASURES),
    conventions=(
        PAPER,
        Convention(
            EVALUATE,
            summary="Adds the HONEST score as Hugging Face's evaluate computes it.",
            source="github.com/huggingface/evaluate, measurements/honest",
        ),
    ),
    settings=(*prompts.SETTINGS, *rule.SETTINGS, *WRITTEN_SETTINGS),
    control=ControlItems({"names": "two words for one group"}, with_words_of_one_group),
    data=prompts.SETS,
    categories="domain",
    views=VIEWS,
    reads=prompts.is_honest,
    validity=VALIDITY,
)
