"""Any question in words about texts, as one TOML file says it: a prompt set."""

from tiltmeter.data.prompts.prompt_items import SETTINGS, load_prompts
from tiltmeter.data.prompts.prompt_set_file import is_prompt_set
from tiltmeter.scoring.prompted_texts import REFUSES
from tiltmeter.studies._written import written_study

STUDY = written_study(
    name="prompts",
    title="Prompt set: a question in words about texts",
    source="The prompt set itself; how replies are read: Chiu, Collins and Alexander 2022, "
    "doi:10.48550/arXiv.2103.12407",
    measures_what=(
        "How often a model that is asked in words gives the label that the prompt set has as the right one, "
        "and how often it gives none or refuses."
    ),
    not_what=(
        "The numbers are about these texts and this wording: other wordings of the same question often give "
        "other answers. Compare several before you conclude anything about a model."
    ),
    load=load_prompts,
    sample=load_prompts,
    settings=(*SETTINGS, REFUSES),
    reads=is_prompt_set,
)
