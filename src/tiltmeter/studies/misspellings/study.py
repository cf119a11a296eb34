"""Misspelt swear words: does a model that writes still see that a comment is hateful?

An item is one edit: a comment as it was and with a swear word misspelt. Comments are those of ETHOS, or the
rows of a table of the user's.
"""

from tiltmeter.core.control_items import ControlItems
from tiltmeter.core.estimates import Meaning
from tiltmeter.core.measures import CLUSTER, EDITED, Measure
from tiltmeter.core.scope import Scope
from tiltmeter.core.study import Study
from tiltmeter.core.study_views import Tally
from tiltmeter.core.views import RecordTable
from tiltmeter.data.texts.ethos import NAME as ETHOS
from tiltmeter.metrics.counts import CountMetric
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.studies.misspellings import metrics
from tiltmeter.studies.misspellings.comments import SETTINGS, WORDINGS, load, sample
from tiltmeter.studies.misspellings.misspelt_controls import KINDS, PLACEBO_EDITS
from tiltmeter.studies.misspellings.rule import RULES
from tiltmeter.studies.misspellings.validity import VALIDITY
from tiltmeter.study_families.controls import EditedScore, views_less
from tiltmeter.study_families.edited_texts import CONTROLS, measures_less_edits
from tiltmeter.study_families.hate_prompt_convention import CONVENTIONS

_CHANGED = ("before_said", "after_said", "before_said_positive", "after_said_positive")
_EDITS: tuple[tuple[str, ...], ...] = ((), ("edit",), ("category",), ("category", "edit"))


def _counted(metric: CountMetric, summary: str, meaning: Meaning) -> Measure:
    """A count of edits."""
    return Measure(
        metric.name, metric, _CHANGED, "edits", neutral=None, infer=infer_nothing, over=_EDITS,
        comparison=None, summary=summary, meaning=meaning,
    )  # fmt: skip


FLIP = EditedScore(
    "flip", ("before_said_positive", "after_said_positive"), "%", yes_no=True,
    called="Answers changed", text=EDITED, moves="changes its answer", edits="misspelt swear words",
    over=((), ("category",)),
)  # fmt: skip
MEASURES: tuple[Measure, ...] = (
    *measures_less_edits(FLIP),
    Measure(
        "edit_effect",
        metrics.edit_effect,
        _CHANGED,
        "percentage points",
        neutral=0,
        infer=metrics.infer_effect,
        over=_EDITS,
        summary="By how much an edit makes the model say more often that a text is of the "
        "category: flips towards it minus flips away from it, per edit.",
        meaning=Meaning(
            "Effect of edits",
            counts="edits",
            sides=("not of the category", "of the category"),
            neutral_is="no effect",
            sentence="says $size more often that a text is of the category after an edit",
            sentence_below="says $size less often that a text is of the category after an edit",
        ),
    ),
    Measure(
        "flip_rate",
        metrics.flip_rate,
        _CHANGED,
        "%",
        neutral=None,
        over=_EDITS,
        summary="The share of edits that change the answer, either way.",
        meaning=Meaning(
            "Edits that change the answer", role="cost", counts="edits", better="lower"
        ),
    ),
    _counted(
        metrics.flips_to,
        summary="Edits after which a text is said to be of the category.",
        meaning=Meaning("Flips to the category", role="description", counts="edits", decimals=0),
    ),
    _counted(
        metrics.flips_away,
        summary="Edits after which a text is no longer said to be of it.",
        meaning=Meaning("Flips away from it", role="description", counts="edits", decimals=0),
    ),
    Measure(
        "flipped_texts",
        metrics.flipped_texts,
        (*_CHANGED, CLUSTER),
        "texts",
        neutral=None,
        infer=infer_nothing,
        over=((), ("category",)),
        rests_on=metrics.texts_asked,
        comparison=None,
        summary="Texts of which some edit changes the answer; n counts all texts.",
        meaning=Meaning("Texts with flips", role="description", counts="texts", decimals=0),
    ),
)
VIEWS = (
    *views_less(CONTROLS, FLIP),
    Tally(
        rows="before_said",
        columns="after_said",
        options="options",
        titles=("reply to the text as it was", "reply to the edited text"),
        otherwise=(
            "after_off_list",
            "after_ambiguous",
            "after_cut",
            "after_empty",
            "after_refused",
        ),
        otherwise_titles=("off the list", "ambiguous", "cut off", "empty", "refused"),
        by=("category",),
        called="edits",
    ),
    RecordTable(
        "flipped",
        "Edits that change the answer",
        folded=True,
        of="",
        axes=("category", "edit", "flip"),
        texts=("text", "edited"),
        headings={"flip": "answer", "text": "text as it was"},
        distinct=True,
    ),
)
STUDY = Study(
    name="misspellings",
    title="Misspelt swear words: do edits of a word change whether a comment is called hateful?",
    version="3",
    group="classifiers",
    asks="Does misspelling hide hate?",
    source="Chiu, Collins and Alexander 2022, Detecting Hate Speech with GPT-3, section 5, "
    "doi:10.48550/arXiv.2103.12407; comments: Mollas et al. 2022, ETHOS, "
    "doi:10.1007/s40747-021-00608-2",
    measures_what="By how much the model says more or less often that a comment is sexist or "
    "racist once a swear word in it is misspelt, as people do to escape filters. 0 is no effect; "
    "below it, misspelling hides hate.",
    not_what="It compares answers with each other, not with what people say: a model that calls "
    "everything hateful shows no effect. A few stems in some dozens of comments are a small sample.",
    scope=Scope(fixed=("the labels", "the kinds of edits")),
    load=load,
    sample=sample,
    rules=RULES,
    measures=MEASURES,
    conventions=CONVENTIONS,
    settings=SETTINGS,
    wordings=WORDINGS,
    control=ControlItems(KINDS, PLACEBO_EDITS),
    views=VIEWS,
    data=(ETHOS,),
    makes_items=True,
    validity=VALIDITY,
)
