"""SEAT: association between sets of sentences."""

from functools import partial

from tiltmeter.core.study_words import StudyWords
from tiltmeter.studies._association import association_study, load_tests, sample_of

WORDS = StudyWords.beside(__file__)

NAME, RELIGION, STARTER = "seat", "seat_religion", "starter_sentences"
"""The tests of May et al. 2019, the four on religion that Meade et al. 2022 added, and the packaged ones."""


STUDY = association_study(
    **WORDS.study,
    load=partial(load_tests, default=(NAME, RELIGION), starter=STARTER),
    sample=partial(sample_of, STARTER),
    data=(NAME, RELIGION, STARTER),
)
