"""Questions about the comments of ETHOS: the prompts of Chiu et al. 2022, or a set with the same labels."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.model.conversations import Message
from tiltmeter.core.reading.file_names import is_there
from tiltmeter.core.results import notes_of
from tiltmeter.data.downloads.places import package_file
from tiltmeter.data.prompts.prompt_items import dataset_of
from tiltmeter.data.prompts.prompt_set import PromptSet, PromptSetting
from tiltmeter.data.prompts.prompt_set_file import read_prompt_set
from tiltmeter.data.prompts.wording_files import packaged_wordings
from tiltmeter.data.texts.ethos import LABELS, RACIST, SEXIST, Ethos

CATEGORIES = (SEXIST, RACIST)
WORDINGS = packaged_wordings(Path(__file__).with_name("hate_wordings.toml"))
"""How the prompts of Chiu et al. can be put, by setting."""
PUBLISHED_PROMPTS = {"paper": "hate_paper", "code": "hate_code"}


def prompt_set_of(named: str, encoding: str = "") -> PromptSet:
    """The prompts "paper" or "code", or a prompt set of the user's with the same labels.

    Raises:
        BadInput: The file cannot be read, or has other labels.
        BadItems: The file cannot be used.
        UnknownName: It is neither.
    """
    if named in PUBLISHED_PROMPTS:
        return published_prompts(named)
    if not Path(named).suffix and not is_there(named):
        raise UnknownName("set of prompts", named, PUBLISHED_PROMPTS)
    made = read_prompt_set(named, encoding=encoding, needs_texts=False)
    for setting in made.settings:
        wrong = [label for label in LABELS if not setting.right_option(label, SEXIST)]
        if wrong or {*made.categories} != {*CATEGORIES}:
            reason = "does not fit the labels sexist, racist and neither"
            way_out = 'write categories = ["sexist", "racist"], and a truth for each label'
            raise BadInput(reason, way_out, file=made.file)
    return made


def published_prompts(named: str) -> PromptSet:
    """The prompts as printed in the paper, or as sent by its code: "paper" or "code"."""
    path = package_file(f"prompts/{PUBLISHED_PROMPTS[named]}.toml")
    return read_prompt_set(path, needs_texts=False)


def worded(setting: PromptSetting, wording: str) -> PromptSetting:
    """A setting in a wording: a name or a template. The standard wording is the prompt of the set.

    Raises:
        UnknownName: There is no such wording.
        BadInput: The set has no setting that is known, or the template lacks a place.
    """
    if wording in {"", WORDINGS.names[0]}:
        return setting
    if setting.name not in WORDINGS.own:
        reason = f"there are no wordings for the setting {setting.name!r} of the set of prompts"
        raise BadInput(reason, f"settings with wordings: {', '.join(WORDINGS.own)}")
    template = WORDINGS.template(setting.name, wording)
    return replace(setting, messages=(Message("user", template),))


def about_ethos(
    ethos: Ethos, made: PromptSet, items: Sequence[PromptedText], notes: Iterator[str], **facts: str
) -> Dataset[PromptedText]:
    """Items about comments of ETHOS, with what is known of these and of the prompt set."""
    of_set = {"prompt set": made.name, "SHA-256 of the prompt set": made.sha256}
    about = {**dataset_of(made, items).about, **of_set, **facts}
    said = notes_of("data", notes)
    return replace(ethos.about, items=items, clusters="text", about=about, notes=said)
