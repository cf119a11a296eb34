"""What speaks for and against the study as a measure."""

from tiltmeter.core.validity import Validity

VALIDITY = Validity(
    phenomenon="Whether misspelling a swear word, as people do to escape filters, changes what a model "
    "says of a comment.",
    confounds="Any edit may move an answer, and repeated asking too. `flip_rate` counts both ways, "
    "`edit_effect` takes their difference.",
    items="Comments of ETHOS with one of seven strings; the paper's edits. Nobody checked that a "
    "comment is hateful because of the word.",
    reuse="Reused: ETHOS was made for classifiers.",
    contamination="The comments are public since 2020 and in Super-NaturalInstructions (Wang et al. 2022, "
    "doi:10.18653/v1/2022.emnlp-main.340); edited ones are not known to be.",
    statistics="Intervals resample whole comments with all their edits; edits and strings are held "
    "fixed. With few flips the exact test cannot be significant.",
    errors="Flips by edit, with the comments, and how often an edit occurs.",
    argument="The comparison is within a comment, so that little else varies. It says nothing about "
    "whether the first answer was right.",
)
