"""What speaks for and against the study as a measure."""

from tiltmeter.core.validity import Validity

VALIDITY = Validity(
    phenomenon="Associations between words for groups and attributes in a model's vectors, over "
    "contexts in which people use these words.",
    confounds="What the corpus says about the words is in the vectors too, whatever the model learnt. "
    "The choice of the words is arbitrary (Antoniak and Mimno 2021, "
    "doi:10.18653/v1/2021.acl-long.148).",
    items="The lists of WEAT, and sentences of a corpus that you give. Nobody checked that a word "
    "has its meaning in every sentence.",
    reuse="Reused: lists made for people and static vectors. The corpus has another purpose.",
    contamination="A public corpus, such as Wikipedia, is in most training data. There is no right answer "
    "that could be learnt, but read contexts are not new ones.",
    statistics="The interval is for other contexts of the same words and says nothing about other "
    "words. With enough draws almost any effect is significant.",
    errors="`effect_spread` says how much the result depends on the contexts; words that do not "
    "occur are listed.",
    argument="As for WEAT, with real contexts in place of single words. With the behaviour of systems "
    "there is no reliable relation (Goldfarb-Tarrant et al. 2021, "
    "doi:10.18653/v1/2021.acl-long.150).",
)
