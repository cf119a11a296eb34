"""Any question in words about texts, as one TOML file says it: a prompt set."""

from tiltmeter.core.study_words import StudyWords
from tiltmeter.data.prompts.prompt_items import SETTINGS, load_prompts
from tiltmeter.data.prompts.prompt_set_file import is_prompt_set
from tiltmeter.families.written_labels import written_study
from tiltmeter.scoring.prompted_texts import REFUSES

WORDS = StudyWords.beside(__file__)

STUDY = written_study(
    **WORDS.study,
    load=load_prompts,
    sample=load_prompts,
    settings=(*SETTINGS, REFUSES),
    reads=is_prompt_set,
)
