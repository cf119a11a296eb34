"""Does a classifier err more often on texts about some groups than on those about others?"""

from dataclasses import replace

from tiltmeter.core.items import Dataset
from tiltmeter.core.labelled_items import ATTRIBUTE, GROUP, NAMED, NO_GROUP, LabelledText
from tiltmeter.core.measures import Comparison, Contrast, Contrasts, Measure
from tiltmeter.core.study import Study
from tiltmeter.core.study_words import StudyWords
from tiltmeter.data.texts.labelled_texts import GROUPS, SETTINGS, grouped_dataset, load_grouped
from tiltmeter.families.classifiers import TWO, counted, ranked, sample_texts, stored_labels
from tiltmeter.metrics import classified, gap_inference, group_gaps, probabilities
from tiltmeter.metrics.equalized_odds import compare_odds, equalized_odds, grouped_texts, infer_odds
from tiltmeter.scoring.classified_texts import CLASSIFY

WORDS = StudyWords.beside(__file__)

BY_GROUP: tuple[tuple[str, ...], ...] = ((), (GROUP,))
POINTS = "percentage points"
CHANCES = ("probability",)
READS = (*TWO, *CHANCES)
"""What gaps read: the same columns, so that they share resamples and random deals of the groups."""


def sample() -> Dataset[LabelledText]:
    """Sixteen made-up texts about two groups."""
    return replace(sample_texts(), name="fairness_gaps sample")


def _gap(gap: group_gaps.Gap, *, rest: bool) -> Measure:
    """The gap with its sign: between each two groups of an attribute, or of each group to the others."""
    name, over = (f"{gap.name}_to_rest", ((),)) if rest else (gap.name, ((ATTRIBUTE,),))
    return Measure(
        name, gap, READS, "" if gap is group_gaps.area_gap else POINTS, neutral=0, optional=CHANCES,
        over=over, of_several=(ATTRIBUTE,),
        contrast=Contrast(
            GROUP, gap_inference.contrast_gap, rest, NO_GROUP, named_by_first=rest, several=NAMED
        ),
        comparison=Comparison(gap_inference.compare_gaps, over=over), **WORDS[name],
    )  # fmt: skip


def _size(gap: group_gaps.Gap, by: Contrasts, what: str) -> Measure:
    """The size of a gap, or what it would be by chance."""
    name = f"{gap.name}_{what}"
    return Measure(
        name, gap, READS, "" if gap is group_gaps.area_gap else POINTS, neutral=0, optional=CHANCES,
        over=((ATTRIBUTE,),), of_several=(ATTRIBUTE,),
        contrast=Contrast(GROUP, by, background=NO_GROUP, several=NAMED), comparison=None, **WORDS[name],
    )  # fmt: skip


def _cross(metric: group_gaps.CrossArea) -> Measure:
    return Measure(
        metric.name, metric, READS, "", neutral=None, optional=CHANCES,
        contrast=Contrast(
            GROUP, gap_inference.contrast_area, against_rest=True, background=NO_GROUP,
            named_by_first=True, several=NAMED,
        ),
        comparison=Comparison(gap_inference.compare_gaps, over=((),)), **WORDS[metric.name],
    )  # fmt: skip


GAPS = (group_gaps.false_positive_gap, group_gaps.true_positive_gap, group_gaps.area_gap)
STUDY = Study(
    **WORDS.study,
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
            **WORDS["equalized_odds_difference"],
        ),
        counted(classified.false_positive_rate, TWO, BY_GROUP, **WORDS["false_positive_rate"]),
        counted(classified.true_positive_rate, TWO, BY_GROUP, **WORDS["true_positive_rate"]),
        ranked(probabilities.roc_auc, BY_GROUP, **WORDS["roc_auc"]),
        _cross(group_gaps.bpsn_area),
        _cross(group_gaps.bnsp_area),
        counted(classified.selection_rate, TWO, BY_GROUP, **WORDS["selection_rate"]),
        counted(classified.positive_share, TWO, BY_GROUP, **WORDS["positive_share"]),
        *(_gap(gap, rest=rest) for rest in (True, False) for gap in GAPS),
        *(_size(gap, gap_inference.contrast_size, "size") for gap in GAPS),
        *(_size(gap, gap_inference.contrast_chance, "by_chance") for gap in GAPS),
    ),
    settings=(SETTINGS[0], SETTINGS[1], SETTINGS[2], GROUPS),
    stored=stored_labels(grouped_dataset),
    data=("hatecheck", "hatecheck_de", "hatecheck_es", "hatecheck_hi", "hatecheck_zh",
          "identity_templates", "civil_comments"),
    views=WORDS.views,
)  # fmt: skip
