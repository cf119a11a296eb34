"""Misspelt swear words: does a model that writes still see that a comment is hateful?"""

from tiltmeter.core.study import Study
from tiltmeter.core.study_words import StudyWords
from tiltmeter.data.prompts.misspelled_texts import SETTINGS, load_misspellings, sample_misspellings
from tiltmeter.data.texts.ethos import NAME as ETHOS
from tiltmeter.families.chiu2021 import conventions
from tiltmeter.scoring.prompted_texts import EDIT_RULES, REFUSES
from tiltmeter.studies._edited import EDIT_MEASURES, EDIT_VIEWS

WORDS = StudyWords.beside(__file__)

STUDY = Study(
    **WORDS.study,
    load=load_misspellings,
    sample=sample_misspellings,
    rules=EDIT_RULES,
    measures=EDIT_MEASURES,
    conventions=conventions(),
    settings=(*SETTINGS, REFUSES),
    views=EDIT_VIEWS,
    data=(ETHOS,),
    makes_items=True,
)
