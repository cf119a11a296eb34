"""What is shown of judges and of groups of annotators.

>>> [view.name for view in JUDGE_VIEWS if "judge" in view.rows]
['judges', 'judge_annotators', 'judge_accuracy', 'judge_errors', 'judge_groups']
"""

from tiltmeter.analyses.agreement.annotator_groups import (
    BETWEEN_AGREE,
    BETWEEN_KAPPA,
    JUDGE_AGREES,
    JUDGE_DIFFERENCE,
    PEOPLE,
)
from tiltmeter.analyses.agreement.judge_numbers import (
    ADVANTAGE,
    JUDGE_ACCURACY,
    JUDGE_AS_GOOD,
    PERSON_AS_GOOD,
    PERSON_LESS_JUDGE,
    SENSITIVITY,
    SPECIFICITY,
    WINNING_RATE,
)
from tiltmeter.analyses.agreement.rater_agreement import ALPHA, GWET, PAIRS_AGREE
from tiltmeter.core.views import NumberTable

JUDGE_VIEWS = (
    NumberTable(
        "judges",
        "May a judge replace people?",
        ("question", "judge"),
        (
            *WINNING_RATE.columns(value=0),
            *WINNING_RATE.columns("verdict", verdict=0),
            *ADVANTAGE.columns(value=0, interval=2),
            *WINNING_RATE.columns("annotators", n=3),
        ),
        strong=("passed",),
        explained="The alternative annotator test leaves out each annotator in turn and asks who agrees "
        "better with the remaining people, the judge or the annotator. ω is the share of annotators whom the "
        "judge wins: the annotator’s advantage minus the judge’s is below ε (one-sided t-test, adjusted over "
        "annotators by Benjamini and Yekutieli, .05). A judge passes with ω of .5 or more. ρ is how often it "
        "agrees at least as well as the annotator, averaged over annotators. With five annotators or more, "
        "the interval of ρ is for other items and other annotators.",
    ),
    NumberTable(
        "judge_annotators",
        "The judge against each annotator",
        ("question", "judge", "annotator"),
        (
            *JUDGE_AS_GOOD.columns("items", n=4),
            *JUDGE_AS_GOOD.columns(value=1, interval=6),
            *PERSON_AS_GOOD.columns(value=2, interval=7),
            *PERSON_LESS_JUDGE.columns(value=0, interval=3, p=5, p_adjusted=4),
            *PERSON_LESS_JUDGE.columns("", verdict=0),
        ),
        strong=("won",),
        most=100,
        folded=True,
        explained="How often the judge, and how often the annotator, agrees at least as well with the "
        "remaining people, and the difference, which the test compares with ε. Annotators with fewer than 30 "
        "items are not tested.",
    ),
    NumberTable(
        "judge_accuracy",
        "Answers of the judge",
        ("question", "judge", "reference"),
        JUDGE_ACCURACY.columns("answers", n=2, value=0, interval=1),
    ),
    NumberTable(
        "judge_errors",
        "Answers of the judge",
        ("question", "judge", "reference", "label"),
        (
            *SENSITIVITY.columns("answers", n=3),
            *SENSITIVITY.columns(value=0, interval=1),
            *SPECIFICITY.columns(value=0, interval=2),
        ),
        most=100,
        explained="Sensitivity: of the answers with this label, those where the judge gives it too. "
        "Specificity: of the others, those where it does not. Against the majority, items without one are "
        "left out, which are the hard ones. Against single people every answer counts, and a judge that "
        "has all majorities right still misses those who were outvoted. Intervals are Wilson’s over items, "
        "and against five single people or more for other items and other people.",
    ),
    NumberTable(
        "within_groups",
        "Groups of annotators",
        ("question", "attribute", "group"),
        (
            *PEOPLE.columns(value=4),
            *PAIRS_AGREE.columns("items", n=3),
            *PAIRS_AGREE.columns(value=0, interval=2),
            *ALPHA.columns(value=0, interval=1),
            *GWET.columns(value=3, interval=6),
        ),
        explained="Agreement of the people of a group with each other. Intervals are for other items and the "
        "same people.",
    ),
    NumberTable(
        "between_groups",
        "Between groups of annotators",
        ("question", "attribute", "group", "other"),
        (
            *BETWEEN_AGREE.columns("items", n=3),
            *BETWEEN_AGREE.columns(value=0, interval=2),
            *BETWEEN_KAPPA.columns(value=0, interval=1),
        ),
        explained="An answer of one group and an answer of the other to the same item: how often they are "
        "equal, or on scales 1 minus their distance in parts of the range; κx is corrected for chance, as α "
        "is. Only items that people of both groups answered count. Intervals are for other items and the "
        "same people.",
    ),
    NumberTable(
        "judge_groups",
        "With which group does the judge agree?",
        ("question", "judge", "attribute", "group"),
        (
            *JUDGE_DIFFERENCE.columns("items", n=3),
            *JUDGE_DIFFERENCE.columns(value=0, interval=0),
            *JUDGE_DIFFERENCE.columns("", verdict=0),
            *JUDGE_AGREES.columns(value=2, interval=4),
        ),
        strong=("more", "less"),
        explained="The agreement of the judge with people of the group minus that with everybody else, on "
        "items that both answered; items have equal weights, and so do both sides on an item. "
        "Intervals are for "
        "other items and other people, if there are five or more on each side. Marked are differences whose "
        "interval excludes 0, with Bonferroni’s correction where there are more than two groups.",
    ),
)
