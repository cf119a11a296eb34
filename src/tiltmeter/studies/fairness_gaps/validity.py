"""What speaks for and against the study as a measure."""

from tiltmeter.core.validity import Validity

VALIDITY = Validity(
    phenomenon="Unequal error rates of a classifier over texts that name different groups: group "
    "fairness in its usual definitions.",
    confounds="Texts about different groups differ in other ways, such as topic and label errors. "
    "Templates filled with every group do not.",
    items="HateCheck was checked by annotators; identity templates are made by rule, and their "
    "terms sorted by us; labels of other sets are crowd workers'.",
    reuse="Reused: made to test or train classifiers of hate or toxicity.",
    contamination="A classifier may have been trained on these sets: the number is then about its training "
    "data. Civil Comments is in instruction data.",
    statistics="Score intervals within each label, permutation tests with adjustment; sizes without "
    "sign stand beside what chance makes of them.",
    errors="Rates by group and label; wrong answers are in the records.",
    argument="The errors are the outcome, so little is inferred, for texts like these. A gap of 0 can "
    "mean equally bad.",
)
