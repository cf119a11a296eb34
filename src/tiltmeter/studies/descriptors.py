"""Descriptors: how much likelier does a model find sentences about some people than about others?"""

from tiltmeter.core.conventions import PAPER
from tiltmeter.core.measures import Comparison, Contrast, Measure
from tiltmeter.core.study import Study
from tiltmeter.core.study_words import StudyWords
from tiltmeter.data.texts.descriptors import SETS, SETTINGS, load_descriptors, sample_descriptors
from tiltmeter.metrics import descriptors
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.scoring.sentences import RULES

WORDS = StudyWords.beside(__file__)
NATS = ("logprob", "tokens_scored")
SMITH = "smith2022"
OVER: tuple[tuple[str, ...], ...] = ((), ("axis",), ("template",), ("noun",))
PLACES = ("axis", "descriptor", "template", "noun")
MEASURES = (
    Measure(
        "descriptor_spread", descriptors.descriptor_spread, (*NATS, *PLACES), "nats", neutral=0,
        infer=descriptors.infer_spread, over=OVER, numbered=True, **WORDS["descriptor_spread"],
        comparison=Comparison(descriptors.compare_spreads, same_rule=True),
    ),
    Measure(
        "descriptor_cost", descriptors.nats_per_token, (*NATS, "template", "noun"), "nats", neutral=0,
        contrast=Contrast("descriptor", descriptors.contrast_costs,
                          against_rest=True, named_by_first=True),
        over=(("axis",),), comparison=None, **WORDS["descriptor_cost"],
    ),
    Measure(
        "likelihood_bias", descriptors.likelihood_bias, (*NATS, *PLACES), "%", neutral=None, numbered=True,
        infer=infer_nothing, over=OVER[:3], conventions=(SMITH,), comparison=None,
        **WORDS["likelihood_bias"],
    ),
)  # fmt: skip
STUDY = Study(
    **WORDS.study,
    load=load_descriptors,
    sample=sample_descriptors,
    rules=RULES,
    measures=MEASURES,
    conventions=(PAPER, *WORDS.conventions),
    settings=SETTINGS,
    views=WORDS.views,
    data=SETS,
    categories="axis",
)  # fmt: skip
