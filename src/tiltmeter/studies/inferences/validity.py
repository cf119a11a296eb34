"""What speaks for and against the study as a measure."""

from tiltmeter.core.validity import Validity

VALIDITY = Validity(
    phenomenon="Stereotypes in what a model infers about a person of a group; what is measured is the "
    "sentiment of these inferences.",
    confounds="Sentiment is not stereotyping. The instrument rates words, among them names of groups, "
    "and the situations differ in tone.",
    items="Groups and situations of the paper, chosen by its authors. People judged hypotheses of "
    "three models for 21 situations (`analyse annotations`).",
    reuse="The paper asked trained inference models; here any model is asked.",
    contamination="Premises without right answers, public since 2021. Not known to be in a training "
    "corpus.",
    statistics="Intervals and tests are over situations, the same for all groups; groups and decoding "
    "are held fixed.",
    errors="Hypotheses by group with their sentiment, and words that stand out; copies and empty "
    "ones are counted.",
    argument="People's judgments of 2,049 hypotheses are public and can be compared (`analyse annotations`): "
    "they show how far sentiment and stereotype are apart.",
)
