"""Hateful comments with their swear words misspelt: does a model still see what they are?

Chiu, Collins and Alexander 2022, section 5: comments of ETHOS that have one of the stems are asked about
unedited and with each edit, zero-shot, at temperature 0.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

from tiltmeter.core.conventions import Setting, with_defaults
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import WRAP, PromptedText
from tiltmeter.core.errors import BadInput
from tiltmeter.core.study import Reading, Source
from tiltmeter.core.text import counted, verb_for
from tiltmeter.core.wordings import WORDING, Wordings
from tiltmeter.data.prompts.comment_prompts import WORDINGS as HATE_WORDINGS
from tiltmeter.data.prompts.comment_prompts import (
    about_comments,
    asked_of,
    load_comments,
    prompt_set_of,
    published_prompts,
)
from tiltmeter.data.prompts.prompt_items import asked_settings, dataset_of, names_in, whole_setting
from tiltmeter.data.prompts.prompt_set import AskedText, PromptSet
from tiltmeter.data.texts.comments import KINDS, LABELS, NONE_OF_THEM, RACIST, SEXIST, Comments
from tiltmeter.data.texts.ethos import CHIU2021
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
        summary="As in the study of hate detection, with its setting zero.",
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
    KINDS,
    NONE_OF_THEM,
    REFUSES,
)
WORDINGS = Wordings({"zero": HATE_WORDINGS.own["zero"]})
_AS_CODED = Edit("phuck", "fuck")
"""An edit of the published code that Table 22 does not list."""


def load(
    source: Source = None, *, settings: Mapping[str, str] | None = None, **reading: Unpack[Reading]
) -> Dataset[EditedText]:
    """Each comment of a kind of hate with a stem, unedited and with each edit that changes it.

    Comments are those of "ethos", of a folder with its two tables, or the rows of a table with `text` and
    `label` (see `read_comments`). `stems` is "published" or a TOML file; `generate` names kinds of edits to
    add for each stem (drop, swap, leet, *, -), whose letters `drawn` decides; `within` says where stems are
    found: anywhere, at the starts of words, or as whole words. `prompts` needs a setting named zero. The
    variant chiu2021 edits as the published code does.
    """
    values = with_defaults(SETTINGS, settings)
    encoding = reading.get("encoding", "")
    comments = load_comments(source, values, needs_neither=False, **reading)
    made = prompt_set_of(values["prompts"], comments, encoding)
    edits = _edits(values, encoding)
    texts = [*_texts(comments, edits, values)]
    if not texts:
        reason = "no comment has one of the stems"
        raise BadInput(reason, "name others with the setting stems, or set within=anywhere")
    items = _items(made, values, comments, texts)
    count = f"{len(edits):,}"
    data: Dataset[Any] = about_comments(comments, made, items, _notes(items, comments), edits=count)
    return replace(data, items=_edits_of(items))


def sample() -> Dataset[EditedText]:
    """Four made-up comments with two edits each."""
    edits = (Edit("stupid", "stup1d"), Edit("stupid", "st*pid"))
    words = {
        SEXIST: ("Stupid girls cannot throw.", "She is too stupid to drive."),
        RACIST: ("Send these stupid people back.", "They are all stupid thieves."),
    }
    asked = [
        AskedText(f"{label}-{i}", text, label, cluster=f"{label}-{i}")
        for label, some in words.items()
        for i, text in enumerate(some, start=1)
    ]
    texts = [misspelled for text in asked for misspelled in misspelt(text, edits)]
    made = published_prompts("paper")
    comments = Comments(dict.fromkeys(LABELS, ()), dataset_of(made, []))
    items = _items(made, with_defaults(SETTINGS, None), comments, texts)
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


def _texts(
    comments: Comments, edits: Sequence[Edit], values: Mapping[str, str]
) -> Iterator[AskedText]:
    within = next((place for place in WITHIN if place == values["within"]), WITHIN[0])
    for kind in comments.kinds:
        for text in comments.by_label[kind]:
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
    made: PromptSet, values: Mapping[str, str], comments: Comments, texts: Sequence[AskedText]
) -> list[PromptedText]:
    (zero,) = asked_settings(made, "zero")
    setting = asked_of(zero, {**values, "temperature": "0"}, comments)
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


def _notes(items: Sequence[PromptedText], comments: Comments) -> Iterator[str]:
    edited = _edits_of(items)
    if same := sum(edit.after.text == edit.before.text for edit in edited):
        all_edited = counted(len(edited), "edited texts")
        yield f"{same} of {all_edited} {verb_for(same, 'are')} identical to their originals."
    if comments.own:
        every = sum(len(comments.by_label[kind]) for kind in comments.kinds)
        has_stem = len({edit.before.id for edit in edited})
        of = f"{has_stem:,} of {counted(every, 'comments')} of a kind of hate"
        yield f"{of} {verb_for(has_stem, 'have')} one of the stems."
