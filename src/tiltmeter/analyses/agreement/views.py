"""What agreement shows: tables by question, by annotator and of true labels.

>>> [view.name for view in VIEWS if view.rows == ("question", "annotator")]
['annotators', 'accuracy']
"""

from tiltmeter.analyses.agreement.annotator_scales import ALPHA_WITHOUT, SCALE_R, SHIFT, SLOPE
from tiltmeter.analyses.agreement.annotators import (
    ALL_R,
    ALL_SHIFT,
    ANNOTATORS,
    COPY,
    MARKS,
    NOTICED,
    PACE,
    SAME,
)
from tiltmeter.analyses.agreement.judge_views import JUDGE_VIEWS
from tiltmeter.analyses.agreement.rater_agreement import (
    ALL_AGREE,
    ALPHA,
    ENOUGH_AGREE,
    GWET,
    KAPPA,
    NEEDED,
    PAIRS,
    PAIRS_AGREE,
    PANEL,
)
from tiltmeter.analyses.agreement.true_labels import ACCURACY, GIVEN_SHARE, TRUE_SHARE
from tiltmeter.core.views import NumberTable

BY_QUESTION = (
    *ALPHA.columns("items", n=0, value=0, interval=1),
    *PAIRS.columns(value=4),
    *PANEL.columns(value=6),
    *PANEL.columns("panels", n=3),
    *ALL_AGREE.columns(value=0, interval=2),
    *NEEDED.columns(value=5),
    *ENOUGH_AGREE.columns(value=4, interval=5),
    *PAIRS_AGREE.columns(value=3, interval=5),
    *KAPPA.columns(value=3, interval=6),
    *GWET.columns(value=2, interval=6),
)
VIEWS = (
    *JUDGE_VIEWS,
    NumberTable(
        "questions",
        "Agreement by question",
        ("question",),
        BY_QUESTION,
        explained="α, AC and “pairs agree” rest on all items with two answers and on all pairs of "
        "answers to one item; the others on full panels. “All agree” is the share of items with "
        "the panel’s number of answers that have only equal ones; “m agree” the share of the same "
        "items with at least m equal ones (m-of-n agreement); “pairs agree” the share of "
        "equal pairs of answers, averaged over items. Krippendorff’s α, Fleiss’ κ (on full panels) "
        "and Gwet’s AC (AC1 for nominal answers, else AC2) are corrected for chance: 1 is full agreement, "
        "0 chance. Ordinal and interval levels count answers that are close as agreeing in "
        "part, except in κ. Intervals are for other items and the same annotators: Wilson’s, "
        "score intervals from leaving out items, and of α and κ a Bayesian bootstrap that "
        "allows for an item not seen.",
    ),
    NumberTable(
        "reversed",
        "With and without reversed scales",
        ("question", "change"),
        BY_QUESTION,
        explained="To leave them out of an analysis, this one too, give it --participants with "
        "annotators_overall.csv of this folder, and --without reversed.",
    ),
    NumberTable(
        "annotator_marks",
        "Annotators over all their answers",
        ("mark",),
        ANNOTATORS.columns(),
        explained="Constant: one answer to everything, or to each question, that somebody who "
        "answers each item as the others do would hardly give. Copied: at least 12 common "
        "answers, all equal to another annotator’s, that chance does not explain. Reversed: r "
        "below 0. Unrelated: no relation to the others’ answers is found, and r is below a typical "
        "annotator’s. Too fast: far shorter times than others’ on the same items. Shifted: beyond a "
        "tenth of the range. All with p < .05 after Benjamini and Hochberg’s adjustment over "
        "annotators (copied: Bonferroni’s over pairs). Related: r is above 0 (p < .01), without a "
        "mark. Cannot tell: neither.",
    ),
    NumberTable(
        "annotators_overall",
        "Annotators over all their answers",
        ("annotator",),
        (
            *ALL_R.columns("answers", n=4, value=0, interval=1),
            *NOTICED.columns(value=3),
            *ALL_SHIFT.columns(value=5, interval=6),
            *SAME.columns(value=7, on="page"),
            *PACE.columns(value=7, on="page"),
            *ALL_R.columns("mark", verdict=0),
        ),
        strong=MARKS,
        listed=MARKS,
        most=100,
        explained="r is the correlation with the others’ mean, each question on a scale from 0 to "
        "1; of labels, with the others’ shares of each label. “Random noticed” is the probability "
        "that random answers, as many, would be marked as unrelated.",
    ),
    NumberTable(
        "copied",
        "Annotators over all their answers",
        ("annotator", "other"),
        COPY.columns("equal answers"),
        most=20,
    ),
    NumberTable(
        "annotators",
        "Scales by annotator",
        ("question", "annotator"),
        (
            *SCALE_R.columns("items", n=4, value=0, interval=1),
            *SLOPE.columns(value=3, interval=6),
            *SHIFT.columns(value=3, interval=6),
            *ALPHA_WITHOUT.columns(value=2),
            *SCALE_R.columns("mark", verdict=0),
        ),
        strong=("reversed", "shifted"),
        listed=("reversed", "shifted"),
        most=100,
        explained="Each annotator against the mean of the others: a negative correlation r "
        "means a reversed scale, a shift other ends or a stricter reading. A scale is marked "
        "as reversed if r is below 0, as shifted if the shift is beyond a tenth of the range, "
        "both with p < .05 after Holm’s adjustment over all annotators and questions; the "
        "intervals are not adjusted.",
    ),
    NumberTable(
        "accuracy",
        "True labels and accuracy (Dawid–Skene)",
        ("question", "annotator"),
        ACCURACY.columns("items", n=2, value=0, interval=1),
        most=100,
        folded=True,
    ),
    NumberTable(
        "labels",
        "True labels and accuracy (Dawid–Skene)",
        ("question", "label"),
        (*GIVEN_SHARE.columns(), *TRUE_SHARE.columns()),
        explained="The model of Dawid and Skene estimates the true label of each item and "
        "every annotator’s errors together: an annotator counts as accurate where the answers "
        "agree with what all answers, weighted by accuracy, point to. It takes labels as "
        "unordered, and annotators to be right more often than not. Intervals are score "
        "intervals from a bootstrap of items.",
    ),
)
