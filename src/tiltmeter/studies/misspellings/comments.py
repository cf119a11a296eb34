"""Hateful comments with their swear words misspelt: does a model still see what they are?

Chiu, Collins and Alexander 2022, section 5: comments of ETHOS that have one of the stems are asked about
unedited and with each edit, zero-shot, at temperature 0.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from tiltmeter.core.conventions import Setting, with_defaults
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import WRAP, PromptedText
from tiltmeter.core.errors import BadInput
from tiltmeter.core.study import Reading, Source
from tiltmeter.core.wordings import WORDING, Wordings
from tiltmeter.data.downloads.sources import choose
from tiltmeter.data.prompts.ethos_prompts import (
    CATEGORIES,
    about_ethos,
    prompt_set_of,
    published_prompts,
    worded,
)
from tiltmeter.data.prompts.ethos_prompts import WORDINGS as HATE_WORDINGS
from tiltmeter.data.prompts.prompt_items import (
    asked_settings,
    changed,
    dataset_of,
    names_in,
    whole_setting,
)
from tiltmeter.data.prompts.prompt_set import AskedText, PromptSet
from tiltmeter.data.texts.ethos import CHIU2021, NAME, RACIST, SEXIST, Ethos, load_ethos
from tiltmeter.scoring.prompted_texts import REFUSES
from tiltmeter.studies.misspellings.edits import (
    GENERATED,
    WITHIN,
    Edit,
    Within,
    found_in,
    generated,
    published_edits,
    read_edits,
)
from tiltmeter.studies.misspellings.rule import EditedText

SETTINGS = (
    Setting(
        "stems",
        default="published",
        summary="The paper's stems and edits, or the path of a list of your own.",
    ),
    Setting(
        "generate",
        default="",
        summary="Kinds of edits to add for each stem: drop, swap, leet, *, -, or all.",
    ),
    Setting(
        "within",
        default="anywhere",
        summary="Whether stems are found inside words, only at their starts, or only as whole "
        "words.",
        choices=("anywhere", "starts", "words"),
    ),
    Setting(
        "prompts",
        default="paper",
        summary="As in the study of hate detection; the setting zero is used.",
    ),
    WORDING,
    WRAP,
    Setting("drawn", default="0", summary="Seed of generated edits."),
    Setting(
        "variant",
        default="paper",
        summary="Edits as the paper describes them, or as its code makes them, from a damaged "
        "copy.",
        choices=("paper", "chiu2021"),
    ),
    REFUSES,
)
WORDINGS = Wordings({"zero": HATE_WORDINGS.own["zero"]})
_AS_CODED = Edit("phuck", "fuck")
"""An edit of the published code that Table 22 does not list."""


def load(
    source: Source = None, *, settings: Mapping[str, str] | None = None, **reading: Unpack[Reading]
) -> Dataset[EditedText]:
    """Each comment with a stem, unedited and with each edit that changes it.

    Comments are those of "ethos", or of a folder with its two tables. `stems` is "published" or a TOML file;
    `generate` names kinds of edits to add for each stem (drop, swap, leet, *, -), whose letters `drawn`
    decides; `within` says where stems are found: anywhere, at the starts of words, or as whole words.
    `prompts` needs a setting named zero. The variant chiu2021 edits as the published code does.
    """
    values = with_defaults(SETTINGS, settings)
    encoding = reading.get("encoding", "")
    chosen = choose(source, NAME, (NAME,))
    ethos = load_ethos(chosen if isinstance(chosen, Path) else None, variant=values["variant"])
    made = prompt_set_of(values["prompts"], encoding)
    edits = _edits(values, encoding)
    texts = [*_texts(ethos, edits, values)]
    if not texts:
        reason = "no comment has one of the stems"
        raise BadInput(reason, "name others with the setting stems, or set within=anywhere")
    items = _items(made, values, texts)
    count = f"{len(edits):,}"
    data: Dataset[Any] = about_ethos(ethos, made, items, _notes(items), edits=count)
    return replace(data, items=_edits_of(items))


def sample() -> Dataset[EditedText]:
    """Four made-up comments with two edits each."""
    edits = (Edit("stupid", "stup1d"), Edit("stupid", "st*pid"))
    comments = {
        SEXIST: ("Stupid girls cannot throw.", "She is too stupid to drive."),
        RACIST: ("Send these stupid people back.", "They are all stupid thieves."),
    }
    asked = [
        AskedText(f"{label}-{i}", text, label, cluster=f"{label}-{i}")
        for label, some in comments.items()
        for i, text in enumerate(some, start=1)
    ]
    texts = [misspelled for text in asked for misspelled in misspelt(text, edits)]
    made = published_prompts("paper")
    items = _items(made, with_defaults(SETTINGS, None), texts)
    data: Dataset[Any] = dataset_of(made, items)
    edited = _edits_of(items)
    return replace(data, items=edited, name="misspellings sample", licence="CC0 1.0")


def misspelt(
    text: AskedText, edits: Sequence[Edit], within: Within = "anywhere"
) -> Iterator[AskedText]:
    """The text, then every different text that an edit makes of it; nothing if no edit changes it."""
    edited: dict[str, AskedText] = {}
    for number, edit in enumerate(edits, start=1):
        written = edit.applied(text.text, within)
        edited.setdefault(written, _edited(text, written, number, edit.name, edit.kind))
    edited.pop(text.text, None)
    if edited:
        yield replace(text, groups={"edited": "no"})
        yield from edited.values()


def misspelt_as_coded(text: AskedText, edits: Sequence[Edit]) -> Iterator[AskedText]:
    """The text and its edits as the published code makes them.

    A comment is taken if it has a stem in lower case; every edit is applied whatever the case, in lower
    case; and the edits that change nothing together make one "edited" text that is the comment itself.
    """
    if not any(edit.stem in text.text for edit in edits):
        return
    yield replace(text, groups={"edited": "no"})
    edited: dict[str, AskedText] = {}
    for number, edit in enumerate(edits, start=1):
        # Unlike `Edit.applied`, the published code writes KILL as k1ll.
        written = re.sub(re.escape(edit.stem), edit.written, text.text, flags=re.IGNORECASE)
        name, kind = ("unchanged",) * 2 if written == text.text else (edit.name, edit.kind)
        edited.setdefault(written, _edited(text, written, number, name, kind))
    yield from edited.values()


def _edited(text: AskedText, written: str, number: int, name: str, kind: str) -> AskedText:
    """The edited text. Its id has the number of the edit: ids are shown where texts are hidden."""
    groups = {"edited": "yes", "edit": name, "kind": kind}
    return replace(text, id=f"{text.id}|{number}", text=written, groups=groups)


def _texts(ethos: Ethos, edits: Sequence[Edit], values: Mapping[str, str]) -> Iterator[AskedText]:
    within = next((place for place in WITHIN if place == values["within"]), WITHIN[0])
    for category in CATEGORIES:
        for text in ethos.by_label[category]:
            if values["variant"] == CHIU2021:
                yield from misspelt_as_coded(text, edits)
            elif any(found_in(text.text, edit.stem, within) for edit in edits):
                yield from misspelt(text, edits, within)


def _edits(values: Mapping[str, str], encoding: str) -> tuple[Edit, ...]:
    seed = whole_setting(values, "drawn", 0, 0, 2**32)
    kinds = names_in(values["generate"])
    kinds = [*GENERATED] if kinds == ["all"] else kinds
    if values["stems"] != "published":
        return read_edits(values["stems"], generate=kinds, seed=seed, encoding=encoding)
    edits = published_edits()
    if values["variant"] == CHIU2021:
        return (_AS_CODED, *edits)
    stems = dict.fromkeys(edit.stem for edit in edits)
    return (*dict.fromkeys([*edits, *(e for stem in stems for e in generated(stem, kinds, seed))]),)


def _items(
    made: PromptSet, values: Mapping[str, str], texts: Sequence[AskedText]
) -> list[PromptedText]:
    (zero,) = asked_settings(made, "zero")
    setting = changed(zero, {"temperature": "0", "wrap": values["wrap"]})
    setting = worded(setting, values[WORDING.name])
    return [item for text in texts for item in setting.items(text, (text.label,))]


def _edits_of(items: Sequence[PromptedText]) -> list[EditedText]:
    """Each edited text beside its original, which comes before it."""
    edited: list[EditedText] = []
    original: dict[tuple[str, str], PromptedText] = {}
    for item in items:
        of = (item.groups["category"], item.cluster)
        if item.groups["edited"] == "no":
            original[of] = item
            continue
        groups = {axis: value for axis, value in item.groups.items() if axis != "edited"}
        edited.append(EditedText(item.id, original[of], item, groups, item.cluster, item.where))
    return edited


def _notes(items: Sequence[PromptedText]) -> Iterator[str]:
    edited = _edits_of(items)
    if same := sum(edit.after.text == edit.before.text for edit in edited):
        yield f"{same} of {len(edited)} edited texts are identical to their originals."
