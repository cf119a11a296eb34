"""WEAT: association between sets of words."""

from functools import partial

from tiltmeter.core.validity import Validity
from tiltmeter.study_families.association_tests import (
    STARTER_WORDS,
    WEAT,
    association_study,
    load_tests,
    sample_of,
)

VALIDITY = Validity(
    phenomenon="Associations between words for groups and attributes in a model's vectors, after the "
    "Implicit Association Test of psychology.",
    confounds="Frequency of words, topics that names share, and the choice of the words, which is "
    "arbitrary and changes the result (Antoniak and Mimno 2021, "
    "doi:10.18653/v1/2021.acl-long.148).",
    items="Word lists of studies with people (Caliskan et al. 2017); for vectors nobody validated "
    "them.",
    reuse="Reused: the lists were made for reaction times of people, and the test for static "
    "vectors.",
    contamination="Public for decades as lists of words. They have no right answer that could be learnt, "
    "but papers that discuss the associations are in web corpora.",
    statistics="Intervals and permutation tests are for other target words; attributes are held fixed. "
    "Effect sizes of different models are not on one scale, so `compare` does not subtract "
    "them.",
    errors="The records have the association of every word: a single one can decide a test.",
    argument="Convergence with what people show in the Implicit Association Test, for static vectors. "
    "With the behaviour of systems there is no reliable relation (Goldfarb-Tarrant et al. "
    "2021, doi:10.18653/v1/2021.acl-long.150).",
)
STUDY = association_study(
    name="weat",
    title="WEAT: association between sets of words",
    version="2",
    group="associations",
    asks="Words near a group",
    source="Caliskan, Bryson and Narayanan 2017, Semantics derived automatically from language "
    "corpora contain human-like biases, doi:10.1126/science.aal4230; May, Wang, Bordia, Bowman and "
    "Rudinger 2019, On Measuring Social Biases in Sentence Encoders, doi:10.18653/v1/N19-1063",
    measures_what="Whether words for one group (X) are closer to some attributes (A) than to "
    "others (B), more so than words for another group (Y) are. Closeness is the cosine between "
    "vectors. The effect size counts the difference in standard deviations: 0 is no difference, "
    "and the largest possible value is about 2.",
    not_what="It does not show what a model does with its vectors: association in vectors and "
    "behaviour in a task need not go together. Effect sizes of different tests, poolings or models "
    "are not comparable, and a large one can rest on a small difference if all associations are "
    "similar. A different choice of words can give another result. Language models rarely see a "
    "word alone: seat and ceat put words into sentences.",
    load=partial(load_tests, default=(WEAT,), starter=STARTER_WORDS),
    sample=partial(sample_of, STARTER_WORDS),
    data=(WEAT, STARTER_WORDS),
    validity=VALIDITY,
)
