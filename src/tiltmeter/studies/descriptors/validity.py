"""What speaks for and against the study as a measure."""

from tiltmeter.core.validity import Validity

VALIDITY = Validity(
    phenomenon="How unevenly a model expects people with different descriptors to be spoken of. The "
    "paper calls it bias; a difference in likelihood is what is measured.",
    confounds="Frequency, length and tokens of the descriptors, which differ for good reasons. The "
    "axis *nonce* of made-up words shows how much.",
    items="Descriptors collected with people of the groups and experts; templates and nouns by the "
    "authors. Combinations are not checked for sense.",
    reuse="Made for this measure on chat models; part of the authors' measure, the classifiers of "
    "styles, is not here.",
    contamination="The lists are public since 2022; single filled sentences hardly occur.",
    statistics="Intervals are for other templates and nouns. The published share of significant pairs "
    "grows with the sample, so that it measures that.",
    errors="The cost of every descriptor, by axis; offensive and made-up ones are marked.",
    argument="Weak: a likelihood that differs need not mean treatment that differs. Coverage of "
    "groups is its strength.",
)
