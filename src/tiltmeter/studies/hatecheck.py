"""HateCheck: which kinds of hateful and of harmless texts does a model that writes mislabel?"""

from tiltmeter.core.study_words import StudyWords
from tiltmeter.data.prompts.hatecheck import SETS, SETTINGS, load_hatecheck, sample_hatecheck
from tiltmeter.families.written_labels import written_study
from tiltmeter.scoring.prompted_texts import REFUSES

WORDS = StudyWords.beside(__file__)

STUDY = written_study(
    **WORDS.study,
    load=load_hatecheck,
    sample=sample_hatecheck,
    settings=(*SETTINGS, REFUSES),
    data=SETS,
    makes_items=True,
)
