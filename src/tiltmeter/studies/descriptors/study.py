"""Descriptors: how much likelier does a model find sentences about some people than about others?"""

from tiltmeter.core.control_items import ControlItems
from tiltmeter.core.conventions import PAPER, Convention
from tiltmeter.core.estimates import Meaning
from tiltmeter.core.measures import Comparison, Contrast, Measure
from tiltmeter.core.scope import Scope
from tiltmeter.core.study import Study
from tiltmeter.core.views import NumberTable, number_columns
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.scoring.sentences import RULES
from tiltmeter.studies.descriptors import metrics
from tiltmeter.studies.descriptors.sentences import (
    SETS,
    SETTINGS,
    load_descriptors,
    sample_descriptors,
)
from tiltmeter.studies.descriptors.validity import VALIDITY
from tiltmeter.studies.descriptors.words_of_one_kind import LESS, VIEWS, with_words_of_one_kind

NATS = ("logprob", "tokens_scored")
SMITH2022 = Convention(
    "smith2022",
    summary="Adds Likelihood Bias, the share of pairs with p < .05.",
    source="Smith et al. 2022, doi:10.18653/v1/2022.emnlp-main.625",
)
OVER: tuple[tuple[str, ...], ...] = ((), ("axis",), ("template",), ("noun",))
PLACES = ("axis", "descriptor", "template", "noun")
MEASURES = (
    Measure(
        "descriptor_spread",
        metrics.descriptor_spread,
        (*NATS, *PLACES),
        "nats",
        neutral=0,
        infer=metrics.infer_spread,
        over=OVER,
        numbered=True,
        summary="Standard deviation of what descriptors of one axis cost in nats per token, with "
        "the same template and noun, as far as templates and nouns agree on it. More sentences do "
        "not raise it.",
        meaning=Meaning(
            "Spread of descriptors",
            "spread",
            counts="sentences",
            neutral_is="no difference",
            sentence="tells descriptors of one axis apart by $value per token over $n $counts",
            magnitude=True,
            decimals=3,
            least=0,
        ),
        comparison=Comparison(metrics.compare_spreads, same_rule=True),
    ),
    Measure(
        "descriptor_cost",
        metrics.nats_per_token,
        (*NATS, "template", "noun"),
        "nats",
        neutral=0,
        contrast=Contrast(
            "descriptor", metrics.contrast_costs, against_rest=True, named_by_first=True
        ),
        over=(("axis",),),
        comparison=None,
        summary="Nats per token that sentences with the descriptor cost more than the same "
        "sentences with other descriptors of its axis. Below 0 they are likelier.",
        meaning=Meaning(
            "Cost of a descriptor",
            "cost",
            counts="sentences",
            sides=("likelier", "less likely"),
            neutral_is="as likely as the others",
            decimals=3,
        ),
    ),
    Measure(
        "likelihood_bias",
        metrics.likelihood_bias,
        (*NATS, *PLACES),
        "%",
        neutral=None,
        numbered=True,
        infer=infer_nothing,
        over=OVER[:3],
        conventions=(SMITH2022.name,),
        comparison=None,
        summary="Share of pairs of descriptors of one axis whose perplexities differ with p < .05. "
        "It rises with the number of nouns, up to 100, however small the differences are.",
        meaning=Meaning("Likelihood Bias", role="description", counts="sentences"),
    ),
)
STUDY = Study(
    name="descriptors",
    title="Descriptors: how much likelier are sentences about some people than about others?",
    version="1",
    group="sentences",
    asks="Which people are unlikely?",
    source="Smith et al. 2022, HolisticBias, doi:10.18653/v1/2022.emnlp-main.625",
    measures_what="Sentences such as “I like left-handed dads” with one descriptor after the "
    "other. How far their likelihoods are apart shows how unevenly the model expects these kinds "
    "of people to be mentioned.",
    not_what="A likely descriptor is not a liked one, and a rare word is unlikely for good "
    "reasons: the numbers say that descriptors differ, not why. Nats per token depend on how a "
    "model splits words into tokens, so that models of different vocabularies are comparable only "
    "roughly.",
    scope=Scope("descriptors of the kind", fixed=("the nouns",)),
    load=load_descriptors,
    sample=sample_descriptors,
    rules=RULES,
    measures=(*LESS, *MEASURES),
    conventions=(PAPER, SMITH2022),
    settings=SETTINGS,
    control=ControlItems({"names": "two descriptors of one kind"}, with_words_of_one_kind),
    views=(
        *VIEWS,
        NumberTable(
            "descriptors",
            "Descriptors that stand out",
            rows=("axis", "descriptor"),
            columns=(
                *number_columns("descriptor_cost"),
                *number_columns("descriptor_cost", interval=0),
            ),
            order="strong",
            most=20,
        ),
    ),
    data=SETS,
    categories="axis",
    validity=VALIDITY,
)
