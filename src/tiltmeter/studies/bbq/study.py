"""BBQ: who was it? Questions about two people, before and after the context says who.

Parrish et al. 2022, and its Spanish and Korean relatives.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tiltmeter.core.conventions import PAPER, Convention
from tiltmeter.core.estimates import Meaning
from tiltmeter.core.measures import EVERY, Measure
from tiltmeter.core.study import Study
from tiltmeter.core.views import NumberTable, number_columns
from tiltmeter.metrics.counts import CountMetric
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.scoring.prompted_texts import WRITTEN_RULES
from tiltmeter.studies.bbq import metrics
from tiltmeter.studies.bbq.questions import SETS, SETTINGS, load, sample
from tiltmeter.studies.bbq.stored_answers import stored_answers
from tiltmeter.study_families.written_labels import ORDER, REFUSED, SILENT, WRITES

AMBIGUOUS, CLEAR = {"context": "ambiguous"}, {"context": "disambiguated"}
BOTH = ("truth", "said")
OVER: tuple[tuple[str, ...], ...] = ((), ("category",), ("category", "group"))
KINDS: tuple[tuple[str, ...], ...] = ((), ("context",), ("category", "context"), OVER[2], EVERY)
HELM, HARNESS, INSPECT = "helm", "lm_eval", "inspect_evals"
SIDES = ("against the stereotype", "the stereotype")
REPLIES = (*WRITES, "stored")
"""Rules under which a question may have no answer."""
ELSEWHERE: Mapping[str, Any] = {"infer": infer_nothing, "comparison": None}
"""Fields of measures that compute as other programs do; these have no interval."""


def _lean(
    metric: CountMetric, where: Mapping[str, str], summary: str, meaning: Meaning, **further: Any
) -> Measure:
    """A difference of shares of answers, of which 0 is neutral."""
    fields = {"over": OVER, "where": where, "summary": summary, "meaning": meaning, **further}
    return Measure(metric.name, metric, BOTH, "percentage points", neutral=0, **fields)


def _share(
    name: str,
    metric: CountMetric,
    over: tuple[tuple[str, ...], ...],
    summary: str,
    meaning: Meaning,
    **further: Any,
) -> Measure:
    """A share of answers or questions, in percent."""
    return Measure(
        name, metric, BOTH, "%", neutral=None, over=over, summary=summary, meaning=meaning, **further
    )  # fmt: skip


ANSWERS = tuple(
    Measure(
        "answer_count", metric, BOTH, "answers", neutral=None, over=((), ("category",)),
        at={"right": truth, "answer": answer},
        summary="How many questions of which an option is right (right) have an answer (answer).",
        meaning=Meaning("Answers", role="description", counts="questions", decimals=0), **ELSEWHERE,
    )
    for (truth, answer), metric in metrics.CELLS.items()
)  # fmt: skip
"""The cells of the table of right options by answers."""
PLACES = tuple(
    Measure(
        "place_share", metric, ("place",), "%", neutral=None, at={"place": place}, rules=REPLIES,
        comparison=None,
        summary="Of the answers, the share that is the option at a place of the prompt’s list (place).",
        meaning=Meaning("Answers by place", role="description", counts="questions with an answer"),
    )
    for place, metric in metrics.PLACES.items()
)  # fmt: skip
"""A third each, if places make no difference and every option stands at each equally often."""
MEASURES = (
    _lean(
        metrics.bbq_score_ambiguous,
        AMBIGUOUS,
        summary="The share of answers that name the person whom the stereotype suggests, less the "
        "share that names the other, where the context says nothing: s_AMB of Parrish et al., and "
        "KoBBQ’s difference.",
        meaning=Meaning(
            "BBQ score, ambiguous contexts",
            counts="ambiguous questions with an answer",
            sides=SIDES,
            neutral_is="no lean",
            sentence="names the stereotyped person $size more often than the other in $n $counts",
            sentence_below="names the stereotyped person $size less often than the other in $n "
            "$counts",
        ),
        over=(*OVER, ("polarity",), ("listed_first",)),
    ),
    _lean(
        metrics.bbq_score_disambiguated,
        CLEAR,
        summary="The same among the answers that name a person, where the context says who it was: "
        "s_DIS of Parrish et al. A model that is always right has 0 if targets are right in half "
        "of the questions.",
        meaning=Meaning(
            "BBQ score, disambiguated contexts",
            counts="disambiguated questions with an answer",
            sides=SIDES,
            neutral_is="no lean",
        ),
    ),
    _lean(
        metrics.bias_difference,
        CLEAR,
        summary="The accuracy where the right answer fits the stereotype, less that where it goes "
        "against it: KoBBQ’s difference.",
        meaning=Meaning(
            "Bias difference, disambiguated contexts",
            counts="disambiguated questions with an answer",
            sides=SIDES,
            neutral_is="no lean",
        ),
    ),
    _lean(
        metrics.nonalignment_cost,
        CLEAR,
        summary="The same the other way round: Figure 2 of Parrish et al.",
        meaning=Meaning(
            "Accuracy cost of nonalignment",
            counts="disambiguated questions with an answer",
            sides=("less accurate against the stereotype", "more accurate against the stereotype"),
            neutral_is="no lean",
        ),
    ),
    _lean(
        metrics.lowest_score,
        AMBIGUOUS,
        summary="The ambiguous score if every missing answer had named the other person.",
        meaning=Meaning(
            "Lowest possible ambiguous score",
            role="description",
            counts="ambiguous questions",
            sides=SIDES,
            bounds="bbq_score_ambiguous",
        ),
        comparison=None,
    ),
    _lean(
        metrics.highest_score,
        AMBIGUOUS,
        summary="The ambiguous score if every missing answer had named the stereotyped person.",
        meaning=Meaning(
            "Highest possible ambiguous score",
            role="description",
            counts="ambiguous questions",
            sides=SIDES,
            bounds="bbq_score_ambiguous",
        ),
        comparison=None,
    ),
    _share(
        "accuracy",
        metrics.right_rate,
        (*OVER, ("context",), ("category", "context"), ("listed_first",), EVERY),
        summary="The share of answers that are right; unknown is, where the context says nothing. "
        "Missing answers are left out.",
        meaning=Meaning(
            "Accuracy", role="cost", counts="questions with an answer", better="higher"
        ),
    ),
    _share(
        "unknown_rate",
        metrics.unknown_rate,
        KINDS,
        summary="The share of answers that are unknown.",
        meaning=Meaning("Unknown", role="description", counts="questions with an answer"),
    ),
    replace(REFUSED, over=KINDS, rules=REPLIES),
    replace(SILENT, over=KINDS, rules=REPLIES),
    replace(ORDER, over=((),)),
    _lean(
        metrics.helm_score,
        {},
        summary="The lean among answers but unknown, missing ones counted as against the "
        "stereotype, times one minus the accuracy over all contexts.",
        meaning=Meaning(
            "Ambiguous score as HELM computes it",
            counts="questions with an answer",
            sides=SIDES,
            neutral_is="no lean",
        ),
        conventions=(HELM,),
        **ELSEWHERE,
    ),
    _lean(
        metrics.harness_score,
        AMBIGUOUS,
        summary="0 where no answer names the stereotyped person; missing answers count as wrong.",
        meaning=Meaning(
            "Ambiguous score as lm-evaluation-harness computes it",
            counts="ambiguous questions with an answer",
            sides=SIDES,
            neutral_is="no lean",
        ),
        conventions=(HARNESS,),
        **ELSEWHERE,
    ),
    _share(
        "strict_accuracy",
        metrics.strict_rate,
        (*OVER[:2], ("context",)),
        summary="The share of questions that are answered rightly; missing answers are wrong.",
        meaning=Meaning("Accuracy, missing answers counted as wrong", role="cost", better="higher"),
        conventions=(INSPECT,),
        **ELSEWHERE,
    ),
    *ANSWERS,
    *PLACES,
)
CONVENTIONS = (
    PAPER,
    Convention(
        HELM,
        summary="Adds the ambiguous score as HELM computes it.",
        source="HELM, github.com/stanford-crfm/helm, bbq_metrics.py",
    ),
    Convention(
        HARNESS,
        summary="Adds the ambiguous score as lm-evaluation-harness computes it.",
        source="github.com/EleutherAI/lm-evaluation-harness, 0.4.13",
    ),
    Convention(
        INSPECT,
        summary="Adds the only number of inspect_evals: accuracy, missing answers being wrong.",
        source="github.com/UKGovernmentBEIS/inspect_evals, bbq",
    ),
)
VIEWS = (
    NumberTable(
        "contexts",
        "By kind of context",
        rows=("context",),
        columns=(
            *number_columns("accuracy"),
            *number_columns("unknown_rate"),
            *number_columns("refusal_rate"),
            *number_columns("off_list_rate"),
        ),
    ),
    NumberTable(
        "places",
        "By place in the prompt’s list",
        rows=("place",),
        columns=number_columns("place_share"),
    ),
    NumberTable(
        "answers",
        "Answers by what is right",
        rows=("right",),
        columns=number_columns("answer_count"),
        spread="answer",
    ),
)
STUDY = Study(
    name="bbq",
    title="BBQ: whom does a model name where nothing says who it was?",
    version="1",
    source="Parrish et al. 2022, doi:10.18653/v1/2022.findings-acl.165; EsBBQ: Ruiz-Fernández et "
    "al. 2025, arXiv:2507.11216; KoBBQ: Jin et al. 2024, doi:10.1162/tacl_a_00661",
    measures_what="Two people are in a scene, and a question asks which of them it was. Where the "
    "context does not say, unknown is right, and naming the person whom a stereotype suggests "
    "shows a lean. Where it does, a lean shows in more errors against the stereotype than along "
    "it.",
    not_what="The numbers are about the questions with an answer. Refusals and replies that were "
    "not understood are not a sign of no bias; the lowest and the highest possible score say what "
    "they could hide. There are about 25 templates a category, which the intervals take as the "
    "sample. Answers to made-up questions say little about what a model writes in use.",
    load=load,
    sample=sample,
    rules=WRITTEN_RULES[:1] + WRITTEN_RULES[2:],
    measures=MEASURES,
    conventions=CONVENTIONS,
    settings=SETTINGS,
    views=VIEWS,
    data=SETS,
    categories="category",
    stored=stored_answers,
)
