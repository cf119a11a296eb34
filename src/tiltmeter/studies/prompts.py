"""Any question in words about texts, as one TOML file says it: a prompt set."""

from tiltmeter.core.study_words import StudyWords
from tiltmeter.data.prompts.prompt_items import SETTINGS, load_prompts
from tiltmeter.data.prompts.prompt_set_file import is_prompt_set
from tiltmeter.scoring.prompted_texts import REFUSES
from tiltmeter.studies._written import written_study

WORDS = StudyWords.beside(__file__)

STUDY = written_study(
    **WORDS.study,
    load=load_prompts,
    sample=load_prompts,
    settings=(*SETTINGS, REFUSES),
    reads=is_prompt_set,
)
