"""SEAT: association between sets of sentences."""

from functools import partial

from tiltmeter.core.validity import Validity
from tiltmeter.study_families.association_tests import association_study, load_tests, sample_of

NAME, RELIGION, STARTER = "seat", "seat_religion", "starter_sentences"
"""The tests of May et al. 2019, the four on religion that Meade et al. 2022 added, and the packaged ones."""
VALIDITY = Validity(
    phenomenon="Associations between groups and attributes in vectors of sentences, as WEAT has them "
    "for words.",
    confounds="The choice of the words (Antoniak and Mimno 2021, doi:10.18653/v1/2021.acl-long.148). "
    "The template and the way in which a vector is taken change results (Delobelle et al. "
    "2022, doi:10.18653/v1/2022.naacl-main.122).",
    items="The lists of WEAT in bare templates (“This is …”), by the authors; nobody validated "
    "them for sentences.",
    reuse="Reused twice: lists made for people, then for static vectors, put into templates.",
    contamination="Public since 2019 as sentences without a right answer. Not known to be in a training "
    "corpus.",
    statistics="The published test takes sentences as independent; read `effect_size_clustered`, whose "
    "interval and test are over words. Templates and attributes are held fixed.",
    errors="The records have the association of every sentence: those about a single word can decide a test.",
    argument="The authors found no effect in places where people show one, and warn that absence "
    "proves nothing. With the behaviour of systems there is no reliable relation "
    "(Goldfarb-Tarrant et al. 2021, doi:10.18653/v1/2021.acl-long.150).",
)
STUDY = association_study(
    name="seat",
    title="SEAT: association between sets of sentences",
    version="2",
    group="associations",
    asks="Sentences near a group",
    source="May, Wang, Bordia, Bowman and Rudinger 2019, On Measuring Social Biases in Sentence "
    "Encoders, doi:10.18653/v1/N19-1063; Meade, Poole-Dayan and Reddy 2022, An Empirical Survey of "
    "the Effectiveness of Debiasing Techniques for Pre-trained Language Models, "
    "doi:10.18653/v1/2022.acl-long.132",
    measures_what="Whether sentences about one group (X) are closer to sentences about some "
    "attributes (A) than about others (B), more so than sentences about another group (Y) are. "
    "Closeness is the cosine between vectors of sentences. The effect size counts the difference "
    "in standard deviations: 0 is no difference, and the largest possible value is about 2.",
    not_what="It does not show what a model does with its vectors: association in vectors and "
    "behaviour in a task need not go together. The sentences are bare templates (This is …), so "
    "vectors may reflect the template more than the group; the authors found no effect even where "
    "people show one, and caution that this proves nothing. Effect sizes of different tests, "
    "poolings or models are not comparable. Sentences about one word are not independent: use the "
    "interval by words.",
    load=partial(load_tests, default=(NAME, RELIGION), starter=STARTER),
    sample=partial(sample_of, STARTER),
    data=(NAME, RELIGION, STARTER),
    validity=VALIDITY,
)
