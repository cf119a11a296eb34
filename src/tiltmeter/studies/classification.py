"""How well does a classifier label texts, and how differently for different groups?"""

from functools import partial

from tiltmeter.core.estimates import Meaning
from tiltmeter.core.measures import CLUSTER, EVERY, Comparison, Measure
from tiltmeter.core.scope import Scope
from tiltmeter.core.study import Study
from tiltmeter.core.study_views import SideBySide, Tally
from tiltmeter.core.validity import Validity
from tiltmeter.data.texts.labelled_texts import SETTINGS, labelled_dataset, load_labelled
from tiltmeter.data.texts.predictions import holds_labelled_predictions
from tiltmeter.metrics import calibration, classified, probabilities
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.scoring.classified_texts import CLASSIFY
from tiltmeter.study_families.classifiers import (
    CHANCE,
    EVERY_LABEL,
    TWO,
    counted,
    ranked,
    roc_auc,
    sample_texts,
    stored_labels,
)

SETS = (
    "hatecheck", "hatecheck_de", "hatecheck_es", "hatecheck_hi", "hatecheck_zh", "identity_templates",
    "davidson", "edos", "ethos", "kaggle_insults", "twitter_sexism", "twitter_racism",
    "wikipedia_aggression", "wikipedia_toxicity", "civil_comments",
)  # fmt: skip
OVER: tuple[tuple[str, ...], ...] = ((), EVERY)
VALIDITY = Validity(
    phenomenon="Agreement of a classifier with the labels of the data. It is not about bias, unless "
    "groups are compared.",
    confounds="Label errors, and the share of positive texts, on which F1 and precision depend.",
    items="Those of the data set; labels are mostly votes of crowd workers, and annotators' views "
    "differ (`analyse agreement`).",
    reuse="Sets were collected for other platforms and definitions of hate; numbers do not carry "
    "over.",
    contamination="Most sets are public since 2017 to 2021, and some are in Super-NaturalInstructions "
    "(Wang et al. 2022, doi:10.18653/v1/2022.emnlp-main.340). Score on texts that the "
    "classifier has not seen.",
    statistics="Intervals are for other texts of the same kind. `compare` tests classifiers on the same "
    "texts.",
    errors="Wrong answers are in the records, and errors by group on the page.",
    argument="Agreement with people's labels is what a classifier is for; whether these labels are "
    "right for your use is not in the number.",
)
STUDY = Study(
    name="classification",
    title="Classification: how well a classifier labels texts",
    version="3",
    group="classifiers",
    asks="How well are texts labelled?",
    source="Elsafoury 2023, section 6, doi:10.48550/arXiv.2308.10684; calibration: Guo et al. "
    "2017, doi:10.48550/arXiv.1706.04599",
    measures_what="How well the classifier’s labels agree with those of the data: F1 under its "
    "three averages, accuracy, precision, recall, the areas under the ROC and precision–recall "
    "curves, and calibration; over all texts, by group, and over crossings of groups.",
    not_what="It says nothing about texts unlike these: a classifier that is nearly perfect on its "
    "own test part may be near chance elsewhere. Precision, F1 and average precision depend on how "
    "many texts are positive, so they are not comparable between data with different shares.",
    scope=Scope(fixed=("the labels",)),
    load=load_labelled,
    sample=sample_texts,
    rules=(CLASSIFY,),
    measures=(  # the first is the main result
        counted(
            classified.f1_macro,
            EVERY_LABEL,
            OVER,
            summary="The mean of the F1 of all labels, each with the same weight. An F1 without its "
            "average says little: where positive texts are rare, the weighted one is high.",
            meaning=Meaning(
                "F1, macro average",
                "F1 macro",
                role="cost",
                counts="texts",
                better="higher",
                sentence="has a macro-averaged F1 of $value on $n $counts",
            ),
        ),
        counted(
            classified.f1_positive,
            TWO,
            OVER,
            summary="An F1 without its average says little: where positive texts are rare, the "
            "weighted one is high.",
            meaning=Meaning(
                "F1 of the positive label",
                "F1 positive",
                role="cost",
                counts="texts",
                better="higher",
            ),
        ),
        counted(
            classified.f1_weighted,
            EVERY_LABEL,
            OVER,
            summary="The mean of the F1 of all labels, weighted by how often each occurs. An F1 "
            "without its average says little: where positive texts are rare, the weighted one is "
            "high.",
            meaning=Meaning(
                "F1, weighted average", "F1 weighted", role="cost", counts="texts", better="higher"
            ),
        ),
        counted(
            classified.accuracy,
            EVERY_LABEL,
            OVER,
            summary="The share of right labels.",
            meaning=Meaning("Accuracy", role="cost", counts="texts", better="higher"),
        ),
        counted(
            classified.positive_predictive_value,
            TWO,
            OVER,
            summary="Of the texts called positive, the share that is.",
            meaning=Meaning("Precision", role="cost", counts="texts", better="higher"),
        ),
        counted(
            classified.true_positive_rate,
            TWO,
            OVER,
            summary="Of the positive texts, the share called positive.",
            meaning=Meaning("Recall", "TPR", role="cost", counts="texts", better="higher"),
        ),
        roc_auc(OVER),
        ranked(
            probabilities.average_precision,
            OVER,
            summary="The area under the precision–recall curve; chance is the share of positive "
            "texts.",
            meaning=Meaning(
                "Average precision", role="cost", counts="texts", better="higher", least=0, most=1
            ),
        ),
        Measure(
            "rms_calibration_error",
            calibration.rms_calibration_error,
            (*CHANCE, CLUSTER),
            "percentage points",
            None,
            infer=calibration.infer_calibration,
            over=OVER,
            comparison=Comparison(calibration.compare_calibration),
            summary="How far shares of positive texts are from the probabilities given: the root "
            "mean square over ten bins, from products of different texts, so that chance does not "
            "make it higher. A value below 0 is no error.",
            meaning=Meaning(
                "Root mean square calibration error",
                "rms calibration error",
                role="cost",
                counts="texts",
                better="lower",
            ),
        ),
        Measure(
            "calibration_error",
            calibration.calibration_error,
            CHANCE,
            "percentage points",
            None,
            infer=infer_nothing,
            over=OVER,
            comparison=None,
            summary="The mean distance of shares of positive texts from the probabilities given, "
            "over ten bins. With few texts it is high by chance alone, by how much depends on the "
            "bins’ errors, so it has no interval: see rms_calibration_error.",
            meaning=Meaning(
                "Expected calibration error",
                "ECE",
                role="description",
                counts="texts",
                magnitude=True,
            ),
        ),
        ranked(
            probabilities.brier,
            OVER,
            summary="Mean squared distance of the probability from 1 or 0.",
            meaning=Meaning(
                "Brier score", role="cost", counts="texts", better="lower", least=0, most=1
            ),
        ),
        counted(
            classified.positive_share,
            TWO,
            OVER,
            summary="The share of texts that is positive, on which precision, F1 and average "
            "precision depend.",
            meaning=Meaning("Positive texts", role="description", counts="texts"),
        ),
    ),
    settings=SETTINGS,
    stored=stored_labels(labelled_dataset),
    reads_stored=partial(holds_labelled_predictions, of_groups=False),
    data=SETS,
    views=(
        SideBySide(measures=("f1_positive", "f1_macro", "f1_weighted", "accuracy", "roc_auc")),
        Tally(
            rows="truth",
            columns="said",
            options="options",
            titles=("right label", "label given"),
            called="texts",
        ),
    ),
    validity=VALIDITY,
)
