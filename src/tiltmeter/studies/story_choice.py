"""Choice of a story's theme: which of two opposite traits does a model choose for a story about a group?

In English, Russian, Chinese and Hindi, or with groups, pairs of traits and a prompt of the user's.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from tiltmeter.core.conventions import PAPER
from tiltmeter.core.items import Dataset
from tiltmeter.core.measures import Infer, Measure
from tiltmeter.core.prompted_items import PromptedText
from tiltmeter.core.study import Study
from tiltmeter.core.study_words import StudyWords
from tiltmeter.data.files.toml_file import has_tables
from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.data.groups.group_lists import ChoicePrompt, Group, TraitPair
from tiltmeter.data.prompts.trait_choices import (
    ORDERS,
    SETTINGS,
    STORIES,
    Asking,
    choices_of,
    load_trait_choices,
)
from tiltmeter.families.written_labels import OFF_LIST, REFUSED
from tiltmeter.metrics import choices
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.scoring.prompted_texts import REFUSES
from tiltmeter.scoring.trait_choices import RULES

WORDS = StudyWords.beside(__file__)


CELL = (("group", "pair"),)
OVER = ((), ("group",), ("domain",), ("dimension",), ("pair",))


def _of_cells(
    name: str, metric: Callable[..., float], columns: tuple[str, ...], unit: str, neutral: float
) -> tuple[Measure, Measure]:
    """A measure of each group and pair of traits; probabilities are no sample of replies."""

    def under(rule: str, infer: Infer) -> Measure:
        return Measure(
            name, metric, columns, unit, neutral, infer=infer, over=CELL, rules=(rule,),
            comparison=None,  # two matrices are compared as a whole
            adjustment="Benjamini–Hochberg", rests_on=choices.replies_with_answer, **WORDS[name],
        )  # fmt: skip

    return under("word", choices.infer_replies), under("choice", infer_nothing)


_RMS = Measure(
    "rms_strength",
    choices.rms_choice_strength,
    ("left", "right", "group", "pair", "repeat"),
    "percentage points",
    0.0,
    infer=choices.infer_choice_strength,
    over=OVER,
    rules=("word",),
    comparison=None,
    rests_on=choices.replies_with_answer,
    **WORDS["rms_strength"],
)
MEASURES = (
    _RMS,
    replace(
        _RMS,
        metric=choices.rms_of_shares,
        columns=("left", "right", "group", "pair"),
        infer=infer_nothing,
        rules=("choice",),
        **WORDS["rms_strength_of_probabilities"],
    ),
    Measure(
        "mean_strength",
        choices.choice_strength,
        ("left", "right", "group", "pair"),
        "percentage points",
        0.0,
        infer=infer_nothing,
        over=OVER,
        comparison=None,
        rests_on=choices.replies_with_answer,
        **WORDS["mean_strength"],
    ),
    *_of_cells(
        "association", choices.trait_difference, ("left", "right"), "percentage points", 0.0
    ),
    *_of_cells("left_pole", choices.trait_share, ("left",), "%", 50.0),
    *_of_cells("right_pole", choices.trait_share, ("right",), "%", 50.0),
    Measure(
        "first_named_rate",
        choices.first_named_rate,
        ("first", "order"),
        "%",
        50.0,
        infer=choices.infer_first_named,
        over=((), ("dimension",)),
        comparison=None,
        rests_on=choices.replies_with_answer,
        **WORDS["first_named_rate"],
    ),
    replace(OFF_LIST, over=((), ("group",), ("pair",), ("order",))),
    replace(REFUSED, over=((), ("group",), ("pair",))),
)


def sample() -> Dataset[PromptedText]:
    """Two groups and two pairs of traits, twice in each order: made up."""
    groups = tuple(Group(f"{name}", {"story": f"a {name}"}, "work") for name in ("sailor", "baker"))
    pairs = tuple(
        TraitPair({"": (left,)}, {"": (right,)}, dimension="made up")
        for left, right in (("slow", "quick"), ("gloomy", "cheerful"))
    )
    prompt = ChoicePrompt("made up", "A tale of {group}: choose either {left} or {right} as theme.",
                          "story")  # fmt: skip
    file = GroupFile(
        name="story_choice sample", version="1", language="en", nouns={}, groups=groups, pairs=pairs,
        templates=(), choices=(prompt,), source="made up", licence="Apache-2.0",
    )  # fmt: skip
    return choices_of(file, prompt, groups, Asking(ORDERS["both"], 2, 1.0, 16))


STUDY = Study(
    **WORDS.study,
    load=load_trait_choices,
    sample=sample,
    rules=RULES,
    measures=MEASURES,
    categories="domain",
    views=WORDS.views,
    conventions=(PAPER, *WORDS.conventions),
    settings=(*SETTINGS, REFUSES),
    data=STORIES,
    reads=partial(has_tables, names=("choices",)),
)
