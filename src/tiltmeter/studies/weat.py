"""WEAT: association between sets of words."""

from functools import partial

from tiltmeter.core.study_words import StudyWords
from tiltmeter.studies._association import association_study, load_tests, sample_of

WORDS = StudyWords.beside(__file__)

NAME, STARTER = "weat", "starter_words"


STUDY = association_study(
    **WORDS.study,
    load=partial(load_tests, default=(NAME,), starter=STARTER),
    sample=partial(sample_of, STARTER),
    data=(NAME, STARTER),
)
