"""Questions about comments: the prompts of Chiu et al. 2022 for any kinds of hate, or a set of the user's."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Unpack

from tiltmeter.core.conventions import Setting
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.model.conversations import Message
from tiltmeter.core.reading.file_names import is_there
from tiltmeter.core.results import notes_of
from tiltmeter.core.study import Reading, Source
from tiltmeter.core.wordings import WORDING
from tiltmeter.data.downloads.places import package_file
from tiltmeter.data.downloads.sources import choose
from tiltmeter.data.prompts.prompt_items import changed, dataset_of
from tiltmeter.data.prompts.prompt_set import PromptSet, PromptSetting
from tiltmeter.data.prompts.prompt_set_file import read_prompt_set
from tiltmeter.data.prompts.wording_files import packaged_wordings
from tiltmeter.data.texts.comments import (
    KINDS,
    LABELS,
    NEITHER,
    NONE_OF_THEM,
    Comments,
    read_comments,
)
from tiltmeter.data.texts.ethos import NAME, load_ethos

WORDINGS = packaged_wordings(Path(__file__).with_name("hate_wordings.toml"))
"""How the prompts of Chiu et al. can be put, by setting."""
PUBLISHED_PROMPTS = {"paper": "hate_paper", "code": "hate_code"}
EXPLAIN = Setting(
    "explain",
    default="no",
    summary="Whether the model is asked for the reason behind its answer too; records keep the whole reply.",
    choices=("no", "yes"),
)
REASON = "Answer first. Then give the reason for the answer in one sentence."
"""What a prompt begins with where reasons are asked for."""
_ROOM = 96
"""Tokens for an answer and its reason."""
_LISTING = re.compile("(?P<open>['‘])racist(?P<close>['’]), ['‘]sexist['’] or ['‘]neither['’]")
"""How the packaged prompts list the labels of the paper."""


def load_comments(
    source: Source,
    values: Mapping[str, str],
    *,
    needs_neither: bool = True,
    **reading: Unpack[Reading],
) -> Comments:
    """The comments of "ethos", of a folder with its two tables, or of a table of the user's.

    Raises:
        BadInput, BadItems, UnknownName: As `load_ethos` and `read_comments`; or labels are set for ETHOS.
        Unavailable: ETHOS cannot be fetched.
    """
    chosen = choose(source, NAME, (NAME,))
    if isinstance(chosen, Path) and not chosen.is_dir():
        return read_comments(chosen, values, needs_neither=needs_neither, **reading)
    if given := [setting.name for setting in (KINDS, NONE_OF_THEM) if values[setting.name]]:
        reason = (
            f"the setting {given[0]} is about labels of a table of your own, and ETHOS has its own"
        )
        raise BadInput(reason, "name your table with --data FILE, or leave the setting out")
    folder = chosen if isinstance(chosen, Path) else None
    return load_ethos(folder, variant=values["variant"])


def prompt_set_of(named: str, comments: Comments, encoding: str = "") -> PromptSet:
    """The prompts "paper" or "code", or a prompt set of the user's, with the labels of the comments.

    Raises:
        BadInput: The file cannot be read, or has other labels.
        BadItems: The file cannot be used.
        UnknownName: It is neither.
    """
    if named in PUBLISHED_PROMPTS:
        return replace(published_prompts(named), categories=comments.kinds)
    if not Path(named).suffix and not is_there(named):
        raise UnknownName("set of prompts", named, PUBLISHED_PROMPTS)
    made = read_prompt_set(named, encoding=encoding, needs_texts=False)
    labels = [label for label, texts in comments.by_label.items() if texts]
    for setting in made.settings:
        wrong = [label for label in labels if not setting.right_option(label, comments.kinds[0])]
        if wrong or {*made.categories} != {*comments.kinds}:
            reason = f"does not fit the labels {', '.join(labels[:-1])} and {labels[-1]}"
            kinds = ", ".join(f'"{kind}"' for kind in comments.kinds)
            way_out = f"write categories = [{kinds}], and a truth for each label"
            raise BadInput(reason, way_out, file=made.file)
    return made


def asked_of(
    setting: PromptSetting, values: Mapping[str, str], comments: Comments
) -> PromptSetting:
    """A setting as the user wants it, about the kinds of hate that the comments have.

    Where the packaged prompts list or show the labels of the paper, they list and show those of the
    comments: kinds first.

    Raises:
        BadInput, UnknownName: A setting of the user's cannot be used; see `changed` and `worded`.
    """
    setting = worded(changed(setting, values), values[WORDING.name])
    if values.get(EXPLAIN.name) == "yes":
        first, *others = setting.messages
        messages = (replace(first, text=f"{REASON}\n{first.text}"), *others)
        room = max(setting.max_tokens, _ROOM)
        setting = replace(setting, messages=messages, max_tokens=room, stop=())
    if comments.labels == LABELS:
        return setting
    every = comments.labels
    messages = tuple(
        replace(message, text=_LISTING.sub(partial(_listed, every), message.text))
        for message in setting.messages
    )
    shown = tuple(comments.neither if label == NEITHER else label for label in setting.shown)
    return replace(
        setting,
        messages=messages,
        options=every if setting.options == LABELS else setting.options,
        shown=every if setting.shown == LABELS else shown,
    )


def _listed(labels: Sequence[str], match: re.Match[str]) -> str:
    """The labels in the quotation marks of the prompt."""
    *kinds, neither = (f"{match['open']}{label}{match['close']}" for label in labels)
    return f"{', '.join(kinds)} or {neither}"


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


def about_comments(
    comments: Comments,
    made: PromptSet,
    items: Sequence[PromptedText],
    notes: Iterable[str],
    **facts: str,
) -> Dataset[PromptedText]:
    """Items about comments, with what is known of these and of the prompt set."""
    of_set = {"prompt set": made.name, "SHA-256 of the prompt set": made.sha256}
    about = {**dataset_of(made, items).about, **of_set, **facts}
    every = (*comments.about.notes, *notes_of("data", notes))
    return replace(comments.about, items=items, clusters="text", about=about, notes=every)
