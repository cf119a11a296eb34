"""Hate detection by prompts: does a model that writes tell sexist and racist comments from others?

The five settings of Chiu, Collins and Alexander 2022, on comments of ETHOS.
"""

from tiltmeter.core.study_words import StudyWords
from tiltmeter.data.prompts.hate_prompts import SETTINGS, load_hate_prompts, sample_hate_prompts
from tiltmeter.data.texts.ethos import NAME as ETHOS
from tiltmeter.families.chiu2021 import conventions
from tiltmeter.families.written_labels import WRITTEN_MEASURES, written_study
from tiltmeter.scoring.prompted_texts import REFUSES

WORDS = StudyWords.beside(__file__)

STUDY = written_study(
    **WORDS.study,
    load=load_hate_prompts,
    sample=sample_hate_prompts,
    measures=WRITTEN_MEASURES,
    conventions=conventions(repeats="100"),
    settings=(*SETTINGS, REFUSES),
    data=(ETHOS,),
    makes_items=True,
)
