"""Does a classifier err more often on texts about some groups than on those about others?"""

from dataclasses import replace

from tiltmeter.core.items import Dataset
from tiltmeter.core.labelled_items import ATTRIBUTE, GROUP, NAMED, NO_GROUP, LabelledText
from tiltmeter.core.results import Meaning
from tiltmeter.core.study import Comparison, Contrast, Contrasts, Measure, Study
from tiltmeter.core.views import SideBySide
from tiltmeter.data.texts.labelled_texts import GROUPS, SETTINGS, grouped_dataset, load_grouped
from tiltmeter.metrics import classified, gap_inference, group_gaps
from tiltmeter.metrics.equalized_odds import compare_odds, equalized_odds, grouped_texts, infer_odds
from tiltmeter.scoring.classified_texts import CLASSIFY
from tiltmeter.studies._classified import TWO, area, counted, stored_labels
from tiltmeter.studies.classification import sample_texts

BY_GROUP: tuple[tuple[str, ...], ...] = ((), (GROUP,))
POINTS = "percentage points"
CHANCES = ("probability",)
READS = (*TWO, *CHANCES)
"""What gaps read: the same columns, so that they share resamples and random deals of the groups."""


def sample() -> Dataset[LabelledText]:
    """Sixteen made-up texts about two groups."""
    return replace(sample_texts(), name="fairness_gaps sample")


def _gap(gap: group_gaps.Gap, title: str, unit: str, *, rest: bool) -> Measure:
    """The gap with its sign: between each two groups of an attribute, or of each group to the others."""
    return Measure(
        f"{gap.name}_to_rest" if rest else gap.name,
        gap,
        READS,
        unit,
        neutral=0,
        optional=CHANCES,
        summary=f"{title} of the first group less that of the second.",
        over=((),) if rest else ((ATTRIBUTE,),),
        of_several=(ATTRIBUTE,),
        contrast=Contrast(
            GROUP, gap_inference.contrast_gap, rest, NO_GROUP, named_by_first=rest, several=NAMED
        ),
        meaning=Meaning(
            f"Gap in {title}" + (" to the others" if rest else ""),
            counts="texts",
            sides=("the second", "the first"),
            neutral_is="no gap",
            least=-gap.most,
            most=gap.most,
        ),
        comparison=Comparison(gap_inference.compare_gaps, over=((),) if rest else ((ATTRIBUTE,),)),
    )


def _size(gap: group_gaps.Gap, title: str, unit: str, by: Contrasts, name: str) -> Measure:
    """The size of a gap, or what it would be by chance."""
    return Measure(
        f"{gap.name}_{name}",
        gap,
        READS,
        unit,
        neutral=0,
        optional=CHANCES,
        summary="Sizes are above 0 by chance alone, the more so the smaller a group.",
        over=((ATTRIBUTE,),),
        of_several=(ATTRIBUTE,),
        contrast=Contrast(GROUP, by, background=NO_GROUP, several=NAMED),
        meaning=Meaning(title, role="description", counts="texts", magnitude=True),
        comparison=None,
    )


def _cross(metric: group_gaps.CrossArea, title: str, summary: str) -> Measure:
    return Measure(
        metric.name,
        metric,
        READS,
        "",
        neutral=None,
        optional=CHANCES,
        summary=summary,
        contrast=Contrast(
            GROUP,
            gap_inference.contrast_area,
            against_rest=True,
            background=NO_GROUP,
            named_by_first=True,
            several=NAMED,
        ),
        meaning=Meaning(
            title,
            title.removesuffix(" AUC"),
            role="cost",
            counts="texts",
            better="higher",
            least=0,
            most=1,
        ),
        comparison=Comparison(gap_inference.compare_gaps, over=((),)),
    )


GAPS = (
    (group_gaps.false_positive_gap, "false positive rate", POINTS),
    (group_gaps.true_positive_gap, "true positive rate", POINTS),
    (group_gaps.area_gap, "ROC AUC", ""),
)
STUDY = Study(
    name="fairness_gaps",
    title="Fairness gaps: does a classifier err more on texts about some groups?",
    version="2",
    source="Elsafoury 2023, section 7, doi:10.48550/arXiv.2308.10684; Borkan et al. 2019, "
    "doi:10.1145/3308560.3317593; equalised odds: Hardt, Price and Srebro 2016, "
    "doi:10.48550/arXiv.1610.02413",
    measures_what=(
        "Whether the classifier calls harmless texts about one group positive more often than those about "
        "another (false positive rate), finds positive texts about it more or less often (true positive "
        "rate), and separates both as well (ROC AUC). 0 is no gap."
    ),
    not_what=(
        "A group is what the texts name, not who wrote them. Gaps between groups whose texts differ in "
        "other ways show these too; templates filled with every group do not. A classifier without gaps may "
        "be equally bad for all. A size without its expectation by chance says little."
    ),
    load=load_grouped,
    sample=sample,
    rules=(CLASSIFY,),
    measures=(
        Measure(
            "equalized_odds_difference",
            equalized_odds,
            (*TWO, GROUP),
            POINTS, infer=infer_odds,
            neutral=0,
            summary="The larger of two spreads over groups: of false positive rates and of true positive "
            "rates. It is above 0 by chance alone; the note says by how much.",
            over=((), (ATTRIBUTE,)),
            of_several=(ATTRIBUTE,),
            meaning=Meaning(
                "Equalised-odds difference",
                neutral_is="no difference",
                counts="texts",
                magnitude=True,
                least=0,
                sentence="has rates that differ by up to $value between groups",
            ),
            comparison=Comparison(compare_odds),
            rests_on=grouped_texts,
        ),
        counted(
            classified.false_positive_rate, TWO, "False positive rate",
            "Of the negative texts, the share called positive.", BY_GROUP, role="description",
        ),
        counted(
            classified.true_positive_rate, TWO, "True positive rate",
            "Of the positive texts, the share called positive.", BY_GROUP, role="description",
        ),
        area(BY_GROUP, "ROC AUC (of a group: subgroup AUC)"),
        _cross(
            group_gaps.bpsn_area, "BPSN AUC",
            "The others’ positive texts against the group’s negative ones: low where harmless texts about "
            "the group score too high.",
        ),
        _cross(
            group_gaps.bnsp_area, "BNSP AUC",
            "The group’s positive texts against the others’ negative ones: low where positive texts about "
            "the group score too low.",
        ),
        counted(
            classified.selection_rate, TWO, "Texts called positive", "Their share.", BY_GROUP,
            role="description",
        ),
        counted(
            classified.positive_share, TWO, "Positive texts", "Their share.", BY_GROUP,
            role="description",
        ),
        *(_gap(*gap, rest=True) for gap in GAPS),
        *(_gap(*gap, rest=False) for gap in GAPS),
        *(
            _size(gap, f"Size of the gap in {title}", unit, gap_inference.contrast_size, "size")
            for gap, title, unit in GAPS
        ),
        *(
            _size(gap, f"The same, expected by chance: {title}", unit, gap_inference.contrast_chance,
                  "by_chance")
            for gap, title, unit in GAPS
        ),
    ),
    settings=(SETTINGS[0], SETTINGS[1], SETTINGS[2], GROUPS),
    stored=stored_labels(grouped_dataset),
    data=("hatecheck", "hatecheck_de", "hatecheck_es", "hatecheck_hi", "hatecheck_zh",
          "identity_templates", "civil_comments"),
    views=(
        SideBySide(("false_positive_rate", "true_positive_rate", "roc_auc", "bpsn_auc", "bnsp_auc")),
    ),
)  # fmt: skip
