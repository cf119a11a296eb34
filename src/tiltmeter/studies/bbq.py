"""BBQ: who was it? Questions about two people, before and after the context says who.

Parrish et al. 2022, and its Spanish and Korean relatives.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from tiltmeter.core.conventions import PAPER, with_defaults
from tiltmeter.core.errors import BadInput
from tiltmeter.core.items import Dataset
from tiltmeter.core.measures import EVERY, Measure
from tiltmeter.core.prompted_items import WRAP, PromptedText
from tiltmeter.core.results import Note, Record
from tiltmeter.core.study import Reading, Study
from tiltmeter.core.study_words import StudyWords
from tiltmeter.core.typed_values import Fault
from tiltmeter.data.files.table import listed
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.prompts.bbq import (
    ROLES,
    SETS,
    SETTINGS,
    BiasQuestion,
    load_bbq,
    read_questions,
    sample_bbq,
)
from tiltmeter.families.written_labels import ORDER, REFUSED, SILENT, WRITES
from tiltmeter.metrics import bbq
from tiltmeter.metrics.counts import CountMetric
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.scoring.option_numbers import first_number, option_named
from tiltmeter.scoring.prompted_texts import REFUSES, WRITTEN_RULES
from tiltmeter.scoring.reply_scores import reply_record, scores_of
from tiltmeter.scoring.written_answers import first_word

WORDS = StudyWords.beside(__file__)
AMBIGUOUS, CLEAR = {"context": "ambiguous"}, {"context": "disambiguated"}
BOTH = ("truth", "said")
OVER: tuple[tuple[str, ...], ...] = ((), ("category",), ("category", "group"))
KINDS: tuple[tuple[str, ...], ...] = ((), ("context",), ("category", "context"), OVER[2], EVERY)
HELM, HARNESS, INSPECT = "helm", "lm_eval", "inspect_evals"
REPLIES = (*WRITES, "stored")
"""Rules by which a question may have no answer."""
ELSEWHERE: Mapping[str, Any] = {"infer": infer_nothing, "comparison": None}
"""Of formulas of other programs, which have no interval."""


def _lean(metric: CountMetric, where: Mapping[str, str], **further: Any) -> Measure:
    """A difference of shares of answers, of which 0 is neutral."""
    fields = {"over": OVER, "where": where, **WORDS[metric.name], **further}
    return Measure(metric.name, metric, BOTH, "percentage points", neutral=0, **fields)


def _share(
    name: str, metric: CountMetric, over: tuple[tuple[str, ...], ...], **further: Any
) -> Measure:
    """A share of answers or questions, in percent."""
    return Measure(name, metric, BOTH, "%", neutral=None, over=over, **WORDS[name], **further)


ANSWERS = tuple(
    Measure(
        "answer_count", metric, BOTH, "answers", neutral=None, over=((), ("category",)),
        at={"right": truth, "answer": answer}, **WORDS["answer_count"], **ELSEWHERE,
    )
    for (truth, answer), metric in bbq.CELLS.items()
)  # fmt: skip
"""The cells of the table of right options by answers."""
PLACES = tuple(
    Measure(
        "place_share", metric, ("place",), "%", neutral=None, at={"place": place}, rules=REPLIES,
        comparison=None, **WORDS["place_share"],
    )
    for place, metric in bbq.PLACES.items()
)  # fmt: skip
"""A third each, if places make no difference and every option stands at each equally often."""
MEASURES = (
    _lean(bbq.bbq_score_ambiguous, AMBIGUOUS, over=(*OVER, ("polarity",), ("listed_first",))),
    _lean(bbq.bbq_score_disambiguated, CLEAR),
    _lean(bbq.bias_difference, CLEAR),
    _lean(bbq.nonalignment_cost, CLEAR),
    _lean(bbq.lowest_score, AMBIGUOUS, comparison=None),
    _lean(bbq.highest_score, AMBIGUOUS, comparison=None),
    _share(
        "accuracy", bbq.right_rate,
        (*OVER, ("context",), ("category", "context"), ("listed_first",), EVERY),
    ),
    _share("unknown_rate", bbq.unknown_rate, KINDS),
    replace(REFUSED, over=KINDS, rules=REPLIES),
    replace(SILENT, over=KINDS, rules=REPLIES),
    replace(ORDER, over=((),)),
    _lean(bbq.helm_score, {}, conventions=(HELM,), **ELSEWHERE),
    _lean(bbq.harness_score, AMBIGUOUS, conventions=(HARNESS,), **ELSEWHERE),
    _share(
        "strict_accuracy", bbq.strict_rate, (*OVER[:2], ("context",)), conventions=(INSPECT,),
        **ELSEWHERE,
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
    columns = read_table(path, encoding=reading.get("encoding", ""), known=None).columns
    if "biased_answer" in columns:
        reason = "in KoBBQ's layout the column answer is the right one"
        raise BadInput(reason, "store the answers in BBQ's layout", file=path.name)
    if "answer" not in columns:
        reason = f"no column is named answer (found: {listed(columns)})"
        raise BadInput(reason, "name it with --map answer=COLUMN", file=path.name, line=1)
    values = with_defaults(SETTINGS, settings)
    for name, refused in (("orders", {"mixed", "all"}), ("unknown", {"mixed"})):
        if values[name] in refused:
            reason = f"{name} is {values[name]}, and stored answers are to the data's questions"
            raise BadInput(reason, f"leave out --set {name}", file=path.name)
    made = load_bbq(path, settings=values, **reading)
    questions, _ = read_questions([path], **reading)
    answers, notes = _answers(questions, path)
    made = replace(made, notes=(*made.notes, *notes))
    records = [
        reply_record(
            item, answers[item.id], scores_of(item, first_word(answers[item.id], item.options))
        )
        for item in made.items
    ]
    return made, records


def _answers(questions: Iterable[BiasQuestion], path: Path) -> tuple[dict[str, str], list[Note]]:
    """The answer to each question by its id; one that is the number or letter of an option as that option.

    Raises:
        BadInput: Nothing shows whether numbers count from 0 or from 1.
    """
    read = list(questions)
    truths = (str(question.order[question.truth]) for question in read)
    first = first_number((question.answer for question in read), truths, len(ROLES))
    answers = dict[str, str]()
    for question in read:
        options = [question.options[place] for place in question.in_data]
        try:
            answers[question.id] = option_named(question.answer, options, first)
        except Fault as fault:
            raise BadInput(
                f"{question.id}: {fault.reason}", "store the options themselves", file=path.name
            ) from None
    notes = []
    if any(answers[question.id] != question.answer for question in read):
        how = "letters or numbers" if first is None else f"letters, or numbers from {first},"
        text = f"Answers that are {how} stand for the options ans0, ans1, ans2."
        notes.append(Note("data", text))
    return answers, notes


STUDY = Study(
    **WORDS.study,
    load=load_bbq,
    sample=sample_bbq,
    rules=WRITTEN_RULES[:1] + WRITTEN_RULES[2:],
    measures=MEASURES,
    conventions=(PAPER, *WORDS.conventions),
    settings=(*SETTINGS, WRAP, REFUSES),
    views=WORDS.views,
    data=SETS,
    categories="category",
    stored=stored_answers,
)  # fmt: skip
