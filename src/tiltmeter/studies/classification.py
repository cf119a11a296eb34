"""How well does a classifier label texts, and how differently for different groups?"""

from tiltmeter.core.items import Dataset
from tiltmeter.core.labelled_items import LabelledText
from tiltmeter.core.results import Meaning
from tiltmeter.core.study import CLUSTER, EVERY, Comparison, Measure, Study
from tiltmeter.core.views import SideBySide, Tally
from tiltmeter.data.texts.labelled_texts import SETTINGS, labelled_dataset, load_labelled
from tiltmeter.metrics import calibration, classified, probabilities
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.scoring.classified_texts import CLASSIFY
from tiltmeter.studies._classified import (
    CHANCE,
    EVERY_LABEL,
    TWO,
    area,
    counted,
    ranked,
    stored_labels,
)

OVER: tuple[tuple[str, ...], ...] = ((), EVERY)
F1 = "An F1 without its average says little: where positive texts are rare, the weighted one is high."


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
    name="classification",
    title="Classification: how well a classifier labels texts",
    version="2",
    source="Elsafoury 2023, section 6, doi:10.48550/arXiv.2308.10684; calibration: Guo et al. 2017, "
    "doi:10.48550/arXiv.1706.04599",
    measures_what=(
        "How well the classifier’s labels agree with those of the data: F1 under its three averages, "
        "accuracy, precision, recall, the areas under the ROC and precision–recall curves, and calibration; "
        "over all texts, by group, and over crossings of groups."
    ),
    not_what=(
        "It says nothing about texts unlike these: a classifier that is nearly perfect on its own test part "
        "may be near chance elsewhere. Precision, F1 and average precision depend on how many texts are "
        "positive, so they are not comparable between data with different shares."
    ),
    load=load_labelled,
    sample=sample_texts,
    rules=(CLASSIFY,),
    measures=(
        counted(
            classified.f1_macro, EVERY_LABEL, "F1, macro average",
            f"The mean of the F1 of all labels, each counting alike. {F1}", OVER,
            sentence="has a macro-averaged F1 of $value on $n $counts",
        ),
        counted(classified.f1_positive, TWO, "F1 of the positive label", F1, OVER),
        counted(
            classified.f1_weighted, EVERY_LABEL, "F1, weighted average",
            f"The mean of the F1 of all labels, weighted by how often each occurs. {F1}", OVER,
        ),
        counted(classified.accuracy, EVERY_LABEL, "Accuracy", "The share of right labels.", OVER),
        counted(
            classified.positive_predictive_value, TWO, "Precision",
            "Of the texts called positive, the share that is.", OVER,
        ),
        counted(
            classified.true_positive_rate, TWO, "Recall",
            "Of the positive texts, the share called positive.", OVER,
        ),
        area(OVER),
        ranked(
            probabilities.average_precision, "Average precision",
            "The area under the precision–recall curve; chance is the share of positive texts.", OVER,
        ),
        Measure(
            "rms_calibration_error", calibration.rms_calibration_error, (*CHANCE, CLUSTER),
            "percentage points", None,
            "How far shares of positive texts are from the probabilities given: the root mean square over "
            "ten bins, from products of different texts, so that chance does not make it higher. A value "
            "below 0 is no error.",
            infer=calibration.infer_calibration, over=OVER,
            comparison=Comparison(calibration.compare_calibration),
            meaning=Meaning(
                "Root mean square calibration error", "rms calibration error", "cost", "texts", better="lower"
            ),
        ),
        Measure(
            "calibration_error", calibration.calibration_error, CHANCE, "percentage points", None,
            "The mean distance of shares of positive texts from the probabilities given, over ten bins. With "
            "few texts it is high by chance alone, by how much depends on the bins’ errors, so it has no "
            "interval: see rms_calibration_error.",
            infer=infer_nothing, over=OVER, comparison=None,
            meaning=Meaning("Expected calibration error", "ECE", "description", "texts", magnitude=True),
        ),
        ranked(
            probabilities.brier, "Brier score",
            "Mean squared distance of the probability from 1 or 0.", OVER, better="lower",
        ),
        counted(
            classified.positive_share, TWO, "Positive texts",
            "The share of texts that is positive, on which precision, F1 and average precision depend.",
            OVER, role="description",
        ),
    ),
    settings=SETTINGS,
    stored=stored_labels(labelled_dataset),
    data=("hatecheck", "hatecheck_de", "hatecheck_es", "hatecheck_hi", "hatecheck_zh",
          "identity_templates", "davidson", "edos", "ethos", "kaggle_insults", "twitter_sexism",
          "twitter_racism", "wikipedia_aggression", "wikipedia_toxicity", "civil_comments"),
    views=(
        SideBySide(("f1_positive", "f1_macro", "f1_weighted", "accuracy", "roc_auc")),
        Tally("truth", "said", "options", ("right label", "label given"), called="texts"),
    ),
)  # fmt: skip
