"""Does a classifier err more often on texts about some groups than on those about others?"""

from dataclasses import replace
from functools import partial

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.labelled_items import ATTRIBUTE, GROUP, NAMED, NO_GROUP, LabelledText
from tiltmeter.core.estimates import Meaning
from tiltmeter.core.measures import Comparison, Contrast, Contrasts, Measure
from tiltmeter.core.scope import Scope
from tiltmeter.core.study import Study
from tiltmeter.core.study_views import SideBySide
from tiltmeter.data.texts.labelled_texts import (
    GROUPS,
    POSITIVE,
    PREDICTS,
    THRESHOLD,
    grouped_dataset,
    load_grouped,
)
from tiltmeter.data.texts.predictions import holds_labelled_predictions
from tiltmeter.metrics import classified
from tiltmeter.scoring.classified_texts import CLASSIFY
from tiltmeter.studies.fairness_gaps import gap_inference, group_gaps
from tiltmeter.studies.fairness_gaps.equalized_odds import (
    compare_odds,
    equalized_odds,
    grouped_texts,
    infer_odds,
)
from tiltmeter.studies.fairness_gaps.validity import VALIDITY
from tiltmeter.study_families.classifiers import TWO, counted, roc_auc, sample_texts, stored_labels

BY_GROUP: tuple[tuple[str, ...], ...] = ((), (GROUP,))
POINTS = "percentage points"
CHANCES = ("probability",)
READS = (*TWO, *CHANCES)
"""What all gaps read: with the same columns they share resamples and random deals of the groups."""


def sample() -> Dataset[LabelledText]:
    """Sixteen made-up texts about two groups."""
    return replace(sample_texts(), name="fairness_gaps sample")


def _gap(gap: group_gaps.Gap, rate: str, *, rest: bool) -> Measure:
    """The gap with its sign: between each two groups of an attribute, or of each group to the others."""
    over: tuple[tuple[str, ...], ...] = ((),) if rest else ((ATTRIBUTE,),)
    most = 1.0 if gap is group_gaps.area_gap else 100.0
    return Measure(
        f"{gap.name}_to_rest" if rest else gap.name,
        gap,
        READS,
        "" if gap is group_gaps.area_gap else POINTS,
        neutral=0,
        optional=CHANCES,
        over=over,
        of_several=(ATTRIBUTE,),
        contrast=Contrast(
            GROUP, gap_inference.contrast_gap, rest, NO_GROUP, named_by_first=rest, several=NAMED
        ),
        comparison=Comparison(gap_inference.compare_gaps, over=over),
        summary=f"{rate} of the first group minus that of the second.",
        meaning=Meaning(
            f"Gap in {rate} to the others" if rest else f"Gap in {rate}",
            counts="texts",
            sides=("the second", "the first"),
            neutral_is="no gap",
            least=-most,
            most=most,
        ),
    )


def _size(gap: group_gaps.Gap, by: Contrasts, name: str, title: str) -> Measure:
    """The size of a gap, or what it would be by chance."""
    return Measure(
        name,
        gap,
        READS,
        "" if gap is group_gaps.area_gap else POINTS,
        neutral=0,
        optional=CHANCES,
        over=((ATTRIBUTE,),),
        of_several=(ATTRIBUTE,),
        contrast=Contrast(GROUP, by, background=NO_GROUP, several=NAMED),
        comparison=None,
        summary="Sizes are above 0 by chance alone, the more so the smaller a group.",
        meaning=Meaning(title, role="description", counts="texts", magnitude=True),
    )


def _cross(metric: group_gaps.CrossArea, title: str, short: str, *, summary: str) -> Measure:
    """An area across groups: the positive texts of one side against the negative ones of the other."""
    return Measure(
        metric.name,
        metric,
        READS,
        "",
        neutral=None,
        optional=CHANCES,
        contrast=Contrast(
            GROUP,
            gap_inference.contrast_area,
            against_rest=True,
            background=NO_GROUP,
            named_by_first=True,
            several=NAMED,
        ),
        comparison=Comparison(gap_inference.compare_gaps, over=((),)),
        summary=summary,
        meaning=Meaning(
            title, short, role="cost", counts="texts", better="higher", least=0, most=1
        ),
    )


RATES = (
    (group_gaps.false_positive_gap, "false positive rate"),
    (group_gaps.true_positive_gap, "true positive rate"),
    (group_gaps.area_gap, "ROC AUC"),
)
"""Each gap and the name of the rate or area in which groups differ."""
STUDY = Study(
    name="fairness_gaps",
    title="Fairness gaps: does a classifier err more on texts about some groups?",
    version="3",
    group="classifiers",
    asks="For whom are errors frequent?",
    source="Elsafoury 2023, section 7, doi:10.48550/arXiv.2308.10684; Borkan et al. 2019, "
    "doi:10.1145/3308560.3317593; equalised odds: Hardt, Price and Srebro 2016, "
    "doi:10.48550/arXiv.1610.02413",
    measures_what="Whether the classifier calls harmless texts about one group positive more often "
    "than those about another (false positive rate), finds positive texts about it more or less "
    "often (true positive rate), and separates both as well (ROC AUC). 0 is no gap.",
    not_what="A group is what the texts name, not who wrote them. Gaps between groups whose texts "
    "differ in other ways reflect those differences too; templates filled with every group do "
    "not. A classifier "
    "without gaps may be equally bad for all. A size without its expectation by chance says "
    "little.",
    scope=Scope(fixed=("the labels", "the groups")),
    load=load_grouped,
    sample=sample,
    rules=(CLASSIFY,),
    measures=(
        Measure(
            "equalized_odds_difference",
            equalized_odds,
            (*TWO, GROUP),
            POINTS,
            neutral=0,
            infer=infer_odds,
            over=((), (ATTRIBUTE,)),
            of_several=(ATTRIBUTE,),
            comparison=Comparison(compare_odds),
            rests_on=grouped_texts,
            summary="The larger of two spreads over groups: of false positive rates and of true "
            "positive rates. It is above 0 by chance alone; the note says by how much.",
            meaning=Meaning(
                "Equalised-odds difference",
                counts="texts",
                neutral_is="no difference",
                sentence="has rates that differ by up to $value between groups",
                magnitude=True,
                least=0,
            ),
        ),
        counted(
            classified.false_positive_rate,
            TWO,
            BY_GROUP,
            summary="Of the negative texts, the share called positive.",
            meaning=Meaning("False positive rate", "FPR", role="description", counts="texts"),
        ),
        counted(
            classified.true_positive_rate,
            TWO,
            BY_GROUP,
            summary="Of the positive texts, the share called positive.",
            meaning=Meaning("True positive rate", "TPR", role="description", counts="texts"),
        ),
        roc_auc(BY_GROUP, title="ROC AUC (of a group: subgroup AUC)"),
        _cross(
            group_gaps.bpsn_area,
            "BPSN AUC",
            "BPSN",
            summary="The others’ positive texts against the group’s negative ones: low where harmless "
            "texts about the group score too high.",
        ),
        _cross(
            group_gaps.bnsp_area,
            "BNSP AUC",
            "BNSP",
            summary="The group’s positive texts against the others’ negative ones: low where positive "
            "texts about the group score too low.",
        ),
        counted(
            classified.selection_rate,
            TWO,
            BY_GROUP,
            summary="Their share.",
            meaning=Meaning("Texts called positive", role="description", counts="texts"),
        ),
        counted(
            classified.positive_share,
            TWO,
            BY_GROUP,
            summary="Their share.",
            meaning=Meaning("Positive texts", role="description", counts="texts"),
        ),
        *(_gap(gap, rate, rest=rest) for rest in (True, False) for gap, rate in RATES),
        *(
            _size(
                gap, gap_inference.contrast_size, f"{gap.name}_size", f"Size of the gap in {rate}"
            )
            for gap, rate in RATES
        ),
        *(
            _size(
                gap,
                gap_inference.contrast_chance,
                f"{gap.name}_by_chance",
                f"The same, expected by chance: {rate}",
            )
            for gap, rate in RATES
        ),
    ),
    settings=(POSITIVE, PREDICTS, THRESHOLD, GROUPS),
    stored=stored_labels(grouped_dataset),
    reads_stored=partial(holds_labelled_predictions, of_groups=True),
    data=(
        "hatecheck",
        "hatecheck_de",
        "hatecheck_es",
        "hatecheck_hi",
        "hatecheck_zh",
        "identity_templates",
        "civil_comments",
    ),
    views=(
        SideBySide(
            measures=(
                "false_positive_rate",
                "true_positive_rate",
                "roc_auc",
                "bpsn_auc",
                "bnsp_auc",
            )
        ),
    ),
    validity=VALIDITY,
)
