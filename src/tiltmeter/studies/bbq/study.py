"""BBQ: who was it? Questions about two people, before and after the context says who.

Parrish et al. 2022, and its Spanish and Korean relatives.
"""

from tiltmeter.core.control_items import ControlItems
from tiltmeter.core.conventions import PAPER, Convention
from tiltmeter.core.scope import Scope
from tiltmeter.core.study import Study
from tiltmeter.core.views import NumberTable, number_columns
from tiltmeter.scoring.prompted_texts import CHOICE, STATED, WORD
from tiltmeter.scoring.thought_choices import AFTER_THOUGHT
from tiltmeter.studies.bbq.control_questions import MEASURES as OF_CONTROL
from tiltmeter.studies.bbq.control_questions import VIEWS as VIEWS_OF_CONTROL
from tiltmeter.studies.bbq.control_questions import with_control_questions
from tiltmeter.studies.bbq.measures import HARNESS, HELM, INSPECT, MEASURES
from tiltmeter.studies.bbq.questions import SETS, SETTINGS, WORDINGS, load, sample
from tiltmeter.studies.bbq.stored_answers import has_answers, stored_answers
from tiltmeter.studies.bbq.validity import VALIDITY

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
    *VIEWS_OF_CONTROL,
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
    version="2",
    group="answers",
    asks="Whom does it name when unsure?",
    source="Parrish et al. 2022, doi:10.18653/v1/2022.findings-acl.165; EsBBQ: Ruiz-Fernández et "
    "al. 2025, arXiv:2507.11216; KoBBQ: Jin et al. 2024, doi:10.1162/tacl_a_00661",
    measures_what="Two people are in a scene, and a question asks which of them it was. Where the "
    "context does not say, unknown is right, and naming the person whom a stereotype suggests "
    "shows a lean. Where it does, a lean shows in more errors against the stereotype than along "
    "it.",
    not_what="The numbers are about the questions with an answer. Refusals and replies that were "
    "not understood are not a sign of no bias; the lowest and the highest possible score show "
    "what they could hide. There are about 25 templates a category, which the intervals take as the "
    "sample. Answers to made-up questions say little about what a model writes in use.",
    scope=Scope(fixed=("the names and terms for people",)),
    load=load,
    sample=sample,
    rules=(STATED, WORD, CHOICE, AFTER_THOUGHT),
    measures=(*OF_CONTROL, *MEASURES),
    conventions=CONVENTIONS,
    settings=SETTINGS,
    wordings=WORDINGS,
    control=ControlItems(
        {"file": "control questions with first names, as MBBQ has them"}, with_control_questions
    ),
    views=VIEWS,
    data=SETS,
    categories="category",
    stored_replies=stored_answers,
    reads_stored=has_answers,
    validity=VALIDITY,
)
