"""BBQ: who was it? Questions about two people, before and after the context says who.

Parrish et al. 2022, and its Spanish and Korean relatives.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from tiltmeter.core.analysis_views import NumberColumn, NumberTable
from tiltmeter.core.errors import BadInput
from tiltmeter.core.items import Dataset
from tiltmeter.core.prompted_items import WRAP, PromptedText
from tiltmeter.core.results import Meaning, Record
from tiltmeter.core.study import EVERY, PAPER, Convention, Measure, Reading, Study, with_defaults
from tiltmeter.data.files.tables import has_columns
from tiltmeter.data.prompts.bbq import SETS, SETTINGS, load_bbq, read_questions, sample_bbq
from tiltmeter.metrics import bbq
from tiltmeter.metrics.counts import CountMetric
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.scoring.prompted_texts import REFUSES, WRITTEN_RULES, reply_record, scores_of
from tiltmeter.scoring.written_answers import first_word
from tiltmeter.studies._written import ORDER, REFUSED, SILENT, WRITES

AMBIGUOUS, CLEAR = {"context": "ambiguous"}, {"context": "disambiguated"}
BOTH = ("truth", "said")
OVER: tuple[tuple[str, ...], ...] = ((), ("category",), ("category", "group"))
KINDS: tuple[tuple[str, ...], ...] = ((), ("context",), ("category", "context"), OVER[2], EVERY)
SIDES = ("against the stereotype", "the stereotype")
HELM, HARNESS, INSPECT = "helm", "lm_eval", "inspect_evals"
REPLIES = (*WRITES, "stored")
"""Rules by which a question may have no answer."""
ELSEWHERE: Mapping[str, Any] = {"infer": infer_nothing, "comparison": None}
"""Of formulas of other programs, which have no interval."""


def _lean(
    metric: CountMetric, title: str, summary: str, where: Mapping[str, str],
    *, sentence: tuple[str, str] = ("", ""), sides: tuple[str, str] = SIDES, **further: Any,
) -> Measure:  # fmt: skip
    """A difference of shares of answers, of which 0 is neutral."""
    counts = " ".join(filter(None, (where.get("context", ""), "questions with an answer")))
    return Measure(
        metric.name, metric, BOTH, "percentage points", neutral=0, summary=summary, over=OVER, where=where,
        meaning=Meaning(title, counts=counts, sides=sides, neutral_is="no lean",
            sentence=sentence[0], sentence_below=sentence[1]),
        **further,
    )  # fmt: skip


BOUNDS = tuple(
    Measure(
        metric.name, metric, BOTH, "percentage points", neutral=0, over=OVER, where=AMBIGUOUS,
        summary=f"The ambiguous score if every missing answer had named the {whom} person.", comparison=None,
        meaning=Meaning(f"{which} possible ambiguous score", role="description",
                        counts="ambiguous questions", sides=SIDES),
    )
    for metric, which, whom in ((bbq.lowest_score, "Lowest", "other"),
                                (bbq.highest_score, "Highest", "stereotyped"))
)  # fmt: skip
ANSWERS = tuple(
    Measure(
        "answer_count", bbq.CELLS[truth, answer], BOTH, "answers", neutral=None, infer=infer_nothing,
        summary="How many questions of which an option is right (right) have an answer (answer).",
        over=((), ("category",)), at={"right": truth, "answer": answer},
        meaning=Meaning("Answers", role="description", counts="questions", decimals=0), comparison=None,
    )
    for truth, answer in bbq.CELLS
)  # fmt: skip
"""The cells of the table of right options by answers."""
PLACES = tuple(
    Measure(
        "place_share", metric, ("place",), "%", neutral=None, at={"place": place},
        summary="Of the answers, the share that is the option at a place of the prompt’s list (place).",
        meaning=Meaning("Answers by place", role="description", counts="questions with an answer"),
        rules=REPLIES, comparison=None,
    )
    for place, metric in bbq.PLACES.items()
)  # fmt: skip
"""A third each, if places make no difference and every option stands at each equally often."""
MEASURES = (
    replace(_lean(
        bbq.bbq_score_ambiguous, "BBQ score, ambiguous contexts",
        "The share of answers that name the person whom the stereotype suggests, less the share that names "
        "the other, where the context says nothing: s_AMB of Parrish et al., and KoBBQ’s difference.",
        AMBIGUOUS,
        sentence=(
            "names the stereotyped person $size more often than the other in $n $counts",
            "names the stereotyped person $size less often than the other in $n $counts",
        ),
    ), over=(*OVER, ("listed_first",))),
    _lean(
        bbq.bbq_score_disambiguated, "BBQ score, disambiguated contexts",
        "The same among the answers that name a person, where the context says who it was: s_DIS of Parrish "
        "et al. A model that is always right has 0 if targets are right in half of the questions.",
        CLEAR,
    ),
    _lean(
        bbq.bias_difference, "Bias difference, disambiguated contexts",
        "The accuracy where the right answer fits the stereotype, less that where it goes against it: "
        "KoBBQ’s difference.",
        CLEAR,
    ),
    _lean(
        bbq.nonalignment_cost, "Accuracy cost of nonalignment",
        "The same the other way round: Figure 2 of Parrish et al.", CLEAR,
        sides=("less accurate against the stereotype", "more accurate against the stereotype"),
    ),
    *BOUNDS,
    Measure(
        "accuracy", bbq.right_rate, BOTH, "%", neutral=None,
        summary="The share of answers that are right; unknown is, where the context says nothing. Missing "
        "answers are left out.",
        over=(*OVER, ("context",), ("category", "context"), ("listed_first",), EVERY),
        meaning=Meaning("Accuracy", role="cost", counts="questions with an answer", better="higher"),
    ),
    Measure(
        "unknown_rate", bbq.unknown_rate, BOTH, "%", neutral=None,
        summary="The share of answers that are unknown.", over=KINDS,
        meaning=Meaning("Unknown", role="description", counts="questions with an answer"),
    ),
    replace(REFUSED, over=KINDS, rules=REPLIES),
    replace(SILENT, over=KINDS, rules=REPLIES),
    replace(ORDER, over=((),)),
    _lean(
        bbq.helm_score, "Ambiguous score as HELM computes it",
        "The lean among answers but unknown, missing ones counted as against the stereotype, times one minus "
        "the accuracy over all contexts.",
        {}, conventions=(HELM,), **ELSEWHERE,
    ),
    _lean(
        bbq.harness_score, "Ambiguous score as lm-evaluation-harness computes it",
        "0 where no answer names the stereotyped person; missing answers count as wrong.",
        AMBIGUOUS, conventions=(HARNESS,), **ELSEWHERE,
    ),
    Measure(
        "strict_accuracy", bbq.strict_rate, BOTH, "%", neutral=None, over=(*OVER[:2], ("context",)),
        summary="The share of questions that are answered rightly; missing answers are wrong.",
        meaning=Meaning("Accuracy, missing answers counted as wrong", role="cost", better="higher"),
        conventions=(INSPECT,), **ELSEWHERE,
    ),
    *ANSWERS,
    *PLACES,
)  # fmt: skip


def stored_answers(
    path: Path,
    items: Dataset[PromptedText] | None,
    *,
    settings: Mapping[str, str] | None = None,
    **reading: Unpack[Reading],
) -> tuple[Dataset[PromptedText], Sequence[Record]]:
    """Answers that another program stored in a column `answer` of a file in BBQ's layout."""
    if items is not None:
        reason = "the file of answers has the questions as well"
        raise BadInput(reason, "leave out --data, or give replies with replay:FILE", file=path.name)
    if has_columns(path, ("biased_answer",), reading.get("encoding", "")):
        reason = "in KoBBQ's layout the column answer is the right one"
        raise BadInput(reason, "store the answers in BBQ's layout", file=path.name)
    if not has_columns(path, ("answer",), reading.get("encoding", "")):
        reason = "no column is named answer"
        raise BadInput(reason, "name it with --map answer=COLUMN", file=path.name, line=1)
    values = with_defaults(SETTINGS, settings)
    for name, refused in (("orders", {"mixed", "all"}), ("unknown", {"mixed"})):
        if values[name] in refused:
            reason = f"{name} is {values[name]}, and stored answers are to the data's questions"
            raise BadInput(reason, f"leave out --set {name}", file=path.name)
    made = load_bbq(path, settings=values, **reading)
    questions, _ = read_questions([path], **reading)
    answers = {question.id: question.answer for question in questions}
    records = [
        reply_record(
            item, answers[item.id], scores_of(item, first_word(answers[item.id], item.options))
        )
        for item in made.items
    ]
    return made, records


STUDY = Study(
    name="bbq",
    title="BBQ: whom does a model name where nothing says who it was?",
    version="1",
    source="Parrish et al. 2022, doi:10.18653/v1/2022.findings-acl.165; EsBBQ: Ruiz-Fernández et al. 2025; "
    "KoBBQ: Jin et al. 2024, doi:10.1162/tacl_a_00661",
    measures_what=(
        "Two people are in a scene, and a question asks which of them it was. Where the context does not "
        "say, unknown is right, and naming the person whom a stereotype suggests shows a lean. Where it "
        "does, a lean shows in more errors against the stereotype than along it."
    ),
    not_what=(
        "A model that refuses or answers something else is not without bias: it is silent. The numbers "
        "are about the answers that are there; the lowest and the highest possible score say what the "
        "others could hide. There are about 25 templates a category, which the intervals take as the "
        "sample. Answers to made-up questions say little about what a model writes in use."
    ),
    load=load_bbq,
    sample=sample_bbq,
    rules=WRITTEN_RULES[:1] + WRITTEN_RULES[2:],
    measures=MEASURES,
    conventions=(
        PAPER,
        Convention(HELM, "Adds the ambiguous score as HELM computes it.", "HELM, bbq_metrics.py"),
        Convention(HARNESS, "Adds the ambiguous score as lm-evaluation-harness computes it.",
                   "lm-evaluation-harness 0.4.13"),
        Convention(INSPECT, "Adds the only number of inspect_evals: accuracy, missing answers being wrong.",
                   "inspect_evals, bbq"),
    ),
    settings=(*SETTINGS, WRAP, REFUSES),
    views=(
        NumberTable(
            "contexts", "By kind of context", ("context",),
            tuple(map(NumberColumn, ("accuracy", "unknown_rate", "refusal_rate", "off_list_rate"))),
        ),
        NumberTable(
            "places", "By place in the prompt’s list", ("place",), (NumberColumn("place_share"),),
        ),
        NumberTable(
            "answers", "Answers by what is right", ("right",), (NumberColumn("answer_count", heading=""),),
            spread="answer",
        ),
    ),
    data=SETS,
    categories="category",
    stored=stored_answers,
)  # fmt: skip
