"""GEST: which speaker does a model expect of sentences that fit a stereotype of women or of men?

Pikuliak et al. 2024, doi:10.18653/v1/2024.findings-emnlp.173. `sentences` has the data and the templates,
`rule` the scores, `metrics` the numbers.
"""

from dataclasses import replace
from math import inf

from tiltmeter.core.conventions import PAPER, Convention
from tiltmeter.core.estimates import Meaning
from tiltmeter.core.measures import Comparison, Contrast, Measure, RowValues
from tiltmeter.core.scope import Scope
from tiltmeter.core.study import Study
from tiltmeter.core.study_views import Margins
from tiltmeter.core.views import Forest, NumberTable, number_columns
from tiltmeter.studies.gest import metrics
from tiltmeter.studies.gest.rule import LOGARITHM, RULES, TEN
from tiltmeter.studies.gest.sentences import LIST, SETS, load, reads, sample
from tiltmeter.studies.gest.stored_scores import has_scores, stored_scores
from tiltmeter.studies.gest.validity import VALIDITY

SPEAKERS = ("male speaker", "female speaker")
PIKULIAK2024 = Convention(
    "pikuliak2024",
    summary="As the authors' code: scores are logarithms to base 10, but rates are e to the power of "
    "their mean. A ratio of 2 is printed as 2^.434 = 1.35, so differences from 1 look less than half "
    "as large; order, side and significance are the same.",
    source="Pikuliak et al. 2024, doi:10.18653/v1/2024.findings-emnlp.173; github.com/kinit-sk/gest, "
    "src/masked_models/utils.py and _english_mlm.ipynb",
    settings={LOGARITHM.name: TEN},
)
_G_S = Measure(
    "g_s",
    metrics.g_s,
    ("masculine", "stereotype", "of_men"),
    "",
    neutral=1,
    infer=metrics.infer_g_s,
    mean_of=RowValues(metrics.parts_of_g_s, -inf, inf, of_logarithm=True),
    over=((), ("template",)),
    comparison=Comparison(metrics.compare_rates),
    summary="The masculine rate of the stereotypes of men over that of the stereotypes of women, so "
    "that a preference for one speaker whatever is said cancels out. The interval is for other "
    "sentences in the same templates.",
    meaning=Meaning(
        "Stereotype rate g_s",
        "g_s",
        counts="sentences in templates",
        sides=("the other gender", "the stereotype’s gender"),
        neutral_is="no stereotype",
        sentence="leans to $above as the speaker: g_s is $value over $n $counts",
        sentence_below="leans to $below as the speaker: g_s is $value over $n $counts",
        least=0,
    ),
)
_RATE = Measure(
    "masculine_rate",
    metrics.masculine_rate,
    ("masculine", "stereotype"),
    "",
    neutral=None,
    infer=metrics.infer_rate,
    over=((), ("about",), ("stereotype",), ("template",), ("template", "about"), ("template", "stereotype")),
    comparison=Comparison(metrics.compare_rates, over=((), ("stereotype",))),
    summary="How many times as likely a male speaker is as a female one: the geometric mean over "
    "sentences, then over stereotypes. It also tells how likely either speaker is whatever is said, "
    "so compare stereotypes with each other and not with 1.",
    meaning=Meaning(
        "Masculine rate", role="description", counts="sentences in templates", least=0
    ),
)  # fmt: skip
MEASURES = (
    _G_S,
    replace(
        _G_S,
        name="g_s_over_templates",
        metric=metrics.g_s_over_templates,
        columns=(*_G_S.columns, "template"),
        infer=metrics.infer_over_templates,
        over=((),),
        comparison=None,
        summary="The same number with an interval for other sentences in other templates: both are "
        "taken as drawn from many.",
        meaning=replace(
            _G_S.meaning,
            title="Stereotype rate g_s, also for other templates",
            short="g_s, other templates",
            variant_of="g_s",
        ),
    ),
    _RATE,
    Measure(
        "stereotype_rank",
        metrics.masculine_rate,
        _RATE.columns,
        "",
        neutral=None,
        over=((), ("template",)),
        comparison=None,
        contrast=Contrast("stereotype", metrics.infer_rank, against_rest=True, named_by_first=True),
        summary="The place of a stereotype by masculine rate, from 1 for the most feminine one. The "
        "ranges are for other sentences in the same templates, and hold for all stereotypes at once.",
        meaning=Meaning(
            "Rank by masculine rate", "rank", role="description",
            counts="sentences in templates", decimals=0, least=1,
        ),
    ),
)  # fmt: skip
VIEWS = (
    NumberTable(
        "stereotypes",
        "Stereotypes",
        ("stereotype",),
        (
            *number_columns("masculine_rate", value=0, interval=1),
            *number_columns("stereotype_rank", value=0, interval=2),
        ),
        order="high",
        explained="The masculine rate is how many times as likely a male speaker is as a female one. "
        "Ranks are by this rate; 1 is the most feminine stereotype.",
    ),
    Forest(
        "rates",
        "Stereotypes",
        ("masculine_rate",),
        ("stereotype",),
        order="high",
        heading="Masculine rate of each stereotype",
    ),
    NumberTable(
        "stereotypes-by-template",
        "Stereotypes by template",
        ("stereotype",),
        number_columns("masculine_rate"),
        spread="template",
        order="high",
        on="page",
    ),
    Margins(("male", "female"), SPEAKERS, called="sentences", relative=False),
)
STUDY = Study(
    name="gest",
    title="GEST: women are beautiful, men are leaders",
    version="1",
    group="sentences",
    asks="Is the speaker a man or woman?",
    source="Pikuliak, Oresko, Hrckova and Simko 2024, Women Are Beautiful, Men Are Leaders: Gender "
    "Stereotypes in Machine Translation and Language Modeling, "
    "doi:10.18653/v1/2024.findings-emnlp.173",
    measures_what="How much likelier the model makes a man the speaker of sentences that fit a "
    "stereotype of men (tough, leaders, …) than of sentences that fit one of women (emotional, "
    "beautiful, …). The sentences are in the first person and name no gender. g_s is 1 without "
    "stereotypes.",
    not_what="It does not show what the model writes, nor whom that harms. The stereotypes are "
    "European ones, chosen with experts; the speaker is a man or a woman and nobody else. A masculine "
    "rate also tells how common “he said” is: only differences between stereotypes are about "
    "stereotypes.",
    scope=Scope(fixed=("the stereotypes", "the templates")),
    load=load,
    sample=sample,
    rules=RULES,
    measures=MEASURES,
    conventions=(PAPER, PIKULIAK2024),
    data=SETS,
    settings=(LIST, LOGARITHM),
    reads=reads,
    stored=stored_scores,
    reads_stored=has_scores,
    views=VIEWS,
    categories="stereotype",
    validity=VALIDITY,
)
