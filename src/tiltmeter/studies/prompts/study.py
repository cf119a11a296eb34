"""Any question in words about texts, as one TOML file says it: a prompt set."""

from collections.abc import Mapping
from pathlib import Path
from typing import Unpack

from tiltmeter.core.conventions import Setting, with_defaults
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import WRAP, PromptedText
from tiltmeter.core.study import Reading, Source
from tiltmeter.data.downloads.sources import choose
from tiltmeter.data.prompts.prompt_items import asked_settings, changed, dataset_of, items_of
from tiltmeter.data.prompts.prompt_set_file import is_prompt_set, read_prompt_set
from tiltmeter.scoring.prompted_texts import REFUSES
from tiltmeter.studies.prompts.validity import VALIDITY
from tiltmeter.study_families.written_labels import written_study

STARTER = Path(__file__).with_name("starter_prompts.toml")
"""The prompt set that comes with the package, all texts our own."""
SETTINGS = (
    Setting("settings", "all", "Names of the set's settings, separated by commas."),
    Setting("temperature", "", "By default as the set says."),
    WRAP,
    REFUSES,
)


def load(
    source: Source = None, *, settings: Mapping[str, str] | None = None, **reading: Unpack[Reading]
) -> Dataset[PromptedText]:
    """The items of a prompt set: a TOML file, or the packaged set."""
    chosen = choose(source, STARTER.stem, (STARTER.stem,))
    # `reading` has the encoding of the user's files, which the packaged one need not share.
    path, how = (chosen, reading) if isinstance(chosen, Path) else (STARTER, Reading())
    made = read_prompt_set(path, **how)
    values = with_defaults(SETTINGS, settings)
    varied = [changed(setting, values) for setting in asked_settings(made, values["settings"])]
    return dataset_of(made, [item for s in varied for item in items_of(made, s)])


STUDY = written_study(
    name="prompts",
    title="Prompt set: a question in words about texts",
    version="3",
    group="answers",
    asks="Your own question about texts",
    source="The prompt set itself; how replies are read: Chiu, Collins and Alexander 2022, "
    "doi:10.48550/arXiv.2103.12407",
    measures_what="How often a model that is asked in words gives the label that the prompt set "
    "has as the right one, and how often it gives none or refuses.",
    not_what="The numbers are about these texts and this wording: other wordings of the same "
    "question often give other answers. Compare several before you conclude anything about a "
    "model.",
    load=load,
    sample=load,
    settings=SETTINGS,
    reads=is_prompt_set,
    validity=VALIDITY,
)
