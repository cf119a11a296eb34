"""How well does a classifier label texts, and how differently for different groups?"""

from tiltmeter.core.items import Dataset
from tiltmeter.core.labelled_items import LabelledText
from tiltmeter.core.measures import CLUSTER, EVERY, Comparison, Measure
from tiltmeter.core.study import Study
from tiltmeter.core.study_words import StudyWords
from tiltmeter.data.texts.labelled_texts import SETTINGS, labelled_dataset, load_labelled
from tiltmeter.families.classifiers import CHANCE, EVERY_LABEL, TWO, counted, ranked, stored_labels
from tiltmeter.metrics import calibration, classified, probabilities
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.scoring.classified_texts import CLASSIFY

WORDS = StudyWords.beside(__file__)

OVER: tuple[tuple[str, ...], ...] = ((), EVERY)


def sample_texts() -> Dataset[LabelledText]:
    """The same for every study of classifiers."""
    kinds = ("I cannot stand {}.", "Nobody needs {}.", "I like {}.", "We met {} at the fair.")
    names = ("bakers", "sailors")
    items = [
        LabelledText(
            f"{name}-{i}", kinds[i % 4].format(name) + ("" if i < 4 else " Really."),  # noqa: PLR2004
            "rude" if i % 4 < 2 else "other", ("other", "rude"), "rude",  # noqa: PLR2004
            {"group": name, "attribute": "trade"}, str(i),
        )
        for name in names for i in range(8)
    ]  # fmt: skip
    return Dataset("classification sample", "1", items, "made up", "CC0 1.0", clusters="template")


STUDY = Study(
    **WORDS.study,
    load=load_labelled,
    sample=sample_texts,
    rules=(CLASSIFY,),
    measures=(
        counted(classified.f1_macro, EVERY_LABEL, OVER, WORDS),
        counted(classified.f1_positive, TWO, OVER, WORDS),
        counted(classified.f1_weighted, EVERY_LABEL, OVER, WORDS),
        counted(classified.accuracy, EVERY_LABEL, OVER, WORDS),
        counted(classified.positive_predictive_value, TWO, OVER, WORDS),
        counted(classified.true_positive_rate, TWO, OVER, WORDS),
        ranked(probabilities.roc_auc, OVER, WORDS),
        ranked(probabilities.average_precision, OVER, WORDS),
        Measure(
            "rms_calibration_error", calibration.rms_calibration_error, (*CHANCE, CLUSTER),
            "percentage points", None, infer=calibration.infer_calibration, over=OVER,
            comparison=Comparison(calibration.compare_calibration), **WORDS["rms_calibration_error"],
        ),
        Measure(
            "calibration_error", calibration.calibration_error, CHANCE, "percentage points", None,
            infer=infer_nothing, over=OVER, comparison=None, **WORDS["calibration_error"],
        ),
        ranked(probabilities.brier, OVER, WORDS),
        counted(classified.positive_share, TWO, OVER, WORDS),
    ),
    settings=SETTINGS,
    stored=stored_labels(labelled_dataset),
    data=("hatecheck", "hatecheck_de", "hatecheck_es", "hatecheck_hi", "hatecheck_zh",
          "identity_templates", "davidson", "edos", "ethos", "kaggle_insults", "twitter_sexism",
          "twitter_racism", "wikipedia_aggression", "wikipedia_toxicity", "civil_comments"),
    views=WORDS.views,
)  # fmt: skip
