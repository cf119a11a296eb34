"""Hateful comments with their swear words misspelt: does a model still see what they are?

Chiu, Collins and Alexander 2022, section 5: comments of ETHOS that have one of the stems are asked about
unedited and with each edit, zero-shot, at temperature 0.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tiltmeter.core.errors import BadInput
from tiltmeter.core.items import Dataset
from tiltmeter.core.prompted_items import WRAP, EditedText, PromptedText
from tiltmeter.core.results import notes_of
from tiltmeter.core.study import Setting, with_defaults
from tiltmeter.data.pairs.pairs import choose
from tiltmeter.data.prompts.hate_prompts import prompt_set_of
from tiltmeter.data.prompts.misspellings import (
    GENERATED,
    WITHIN,
    Edit,
    Within,
    found_in,
    generated,
    packaged_edits,
    read_edits,
)
from tiltmeter.data.prompts.prompt_items import (
    asked_settings,
    changed,
    dataset_of,
    names_in,
    packaged,
    told_number,
)
from tiltmeter.data.prompts.prompt_set import AskedText, PromptSet
from tiltmeter.data.texts.ethos import CHIU2021, NAME, RACIST, SEXIST, Ethos, load_ethos

CATEGORIES = (SEXIST, RACIST)
SETTINGS = (
    Setting(
        "stems", "published", "The paper's stems and edits, or the path of a list of your own."
    ),
    Setting("generate", "", "Kinds of edits to add for each stem: drop, swap, leet, *, -, or all."),
    Setting(
        "within",
        "anywhere",
        "Whether stems are found inside words, only at their starts, or only as whole words.",
        WITHIN,
    ),
    Setting("prompts", "paper", "As in the study of hate detection; the setting zero is used."),
    WRAP,
    Setting("drawn", "0", "Seed of generated edits."),
    Setting(
        "variant",
        "paper",
        "Edits as the paper describes them, or as its code makes them, from a damaged copy.",
        ("paper", "chiu2021"),
    ),
)
_AS_CODED = Edit("phuck", "fuck")
"""An edit of the published code that Table 22 does not list."""


def load_misspellings(
    source: str | Path | None = None,
    *,
    skip_invalid: bool = False,  # noqa: ARG001  (the files are what their authors made them)
    encoding: str = "",
    settings: Mapping[str, str] | None = None,
) -> Dataset[EditedText]:
    """Each comment with a stem, unedited and with each edit that changes it.

    Args:
        source: "ethos", or a folder with its two tables.
        skip_invalid: Has no effect.
        encoding: Of the files given with `stems` and `prompts`.
        settings: Those of SETTINGS. `stems` is "published" or a TOML file; `generate` names kinds of
            edits to add for each stem (drop, swap, leet, *, -), whose letters `drawn` decides; `within`
            says where stems are found: anywhere, at the starts of words, or as whole words. `prompts`
            needs a setting named zero. The variant chiu2021 edits as the published code does.

    Raises:
        BadInput: A file cannot be read, a setting has no such value, or no comment has a stem.
        BadItems: A file of stems or prompts cannot be used.
        UnknownName: There is no such kind of edit, or no setting named zero.
    """
    told = with_defaults(SETTINGS, settings)
    chosen = choose(source, NAME, (NAME,))
    ethos = load_ethos(chosen if isinstance(chosen, Path) else None, variant=told["variant"])
    made = prompt_set_of(told["prompts"], encoding)
    edits = _edits(told, encoding)
    found = [*_texts(ethos, edits, told)]
    if not found:
        reason = "no comment has one of the stems"
        raise BadInput(reason, "name others with the setting stems, or set within=anywhere")
    items = _items(made, told["wrap"], found)
    data = dataset_of(made, items)
    return replace(
        ethos.about,
        items=_edits_of(items),
        clusters="text",
        about={
            **data.about,
            "prompt set": made.name,
            "SHA-256 of the prompt set": made.sha256,
            "edits": f"{len(edits):,}",
        },
        notes=notes_of("data", _notes(items)),
    )


def sample_misspellings() -> Dataset[EditedText]:
    """Four made-up comments with two edits each."""
    edits = (Edit("stupid", "stup1d"), Edit("stupid", "st*pid"))
    comments = {
        SEXIST: ("Stupid girls cannot throw.", "She is too stupid to drive."),
        RACIST: ("Send these stupid people back.", "They are all stupid thieves."),
    }
    found = [
        one
        for label, some in comments.items()
        for i, text in enumerate(some, start=1)
        for one in misspelt(AskedText(f"{label}-{i}", text, label, cluster=f"{label}-{i}"), edits)
    ]
    made = packaged("hate_paper", needs_texts=False)
    items = _items(made, "auto", found)
    data: Dataset[EditedText] = replace(dataset_of(made, items), items=_edits_of(items))  # type: ignore[arg-type,assignment]
    return replace(data, name="misspellings sample", licence="CC0 1.0")


def misspelt(
    text: AskedText, edits: Sequence[Edit], within: Within = "anywhere"
) -> Iterator[AskedText]:
    """The text, then every different text that an edit makes of it; nothing if no edit changes it."""
    seen = {text.text}
    found = []
    for number, edit in enumerate(edits, start=1):
        written = edit.applied(text.text, within)
        if written not in seen:
            seen.add(written)
            found.append(_edited(text, written, number, edit.name, edit.kind))
    if found:
        yield replace(text, groups={"edited": "no"})
        yield from found


def misspelt_as_coded(text: AskedText, edits: Sequence[Edit]) -> Iterator[AskedText]:
    """As the published code does it.

    A comment is taken if it has a stem in lower case; every edit is applied whatever the case, in lower
    case; and the edits that change nothing together make one "edited" text that is the comment itself.
    """
    if not any(edit.stem in text.text for edit in edits):
        return
    yield replace(text, groups={"edited": "no"})
    seen: set[str] = set()
    for number, edit in enumerate(edits, start=1):
        written = re.sub(re.escape(edit.stem), edit.written, text.text, flags=re.IGNORECASE)
        if written in seen:
            continue
        seen.add(written)
        same = written == text.text
        name, kind = ("unchanged", "unchanged") if same else (edit.name, edit.kind)
        yield _edited(text, written, number, name, kind)


def _edited(text: AskedText, written: str, number: int, name: str, kind: str) -> AskedText:
    """Named by number: ids are shown where texts are hidden."""
    groups = {"edited": "yes", "edit": name, "kind": kind}
    return replace(text, id=f"{text.id}|{number}", text=written, groups=groups)


def _texts(ethos: Ethos, edits: Sequence[Edit], told: Mapping[str, str]) -> Iterator[AskedText]:
    (within,) = [one for one in WITHIN if one == told["within"]] or [WITHIN[0]]
    for category in CATEGORIES:
        for text in ethos.by_label[category]:
            if told["variant"] == CHIU2021:
                yield from misspelt_as_coded(text, edits)
            elif any(found_in(text.text, edit.stem, within) for edit in edits):
                yield from misspelt(text, edits, within)


def _edits(told: Mapping[str, str], encoding: str) -> tuple[Edit, ...]:
    seed = int(told_number(told, "drawn", 0, 0, 2**32, whole=True))
    kinds = names_in(told["generate"])
    kinds = [*GENERATED] if kinds == ["all"] else kinds
    if told["stems"] != "published":
        return read_edits(told["stems"], generate=kinds, seed=seed, encoding=encoding)
    own = packaged_edits()
    if told["variant"] == CHIU2021:
        return (_AS_CODED, *own)
    stems = dict.fromkeys(edit.stem for edit in own)
    return (*dict.fromkeys([*own, *(e for stem in stems for e in generated(stem, kinds, seed))]),)


def _items(made: PromptSet, wrap: str, texts: Sequence[AskedText]) -> list[PromptedText]:
    (zero,) = asked_settings(made, "zero")
    setting = changed(zero, {"temperature": "0", "wrap": wrap})
    return [item for text in texts for item in setting.items(text, (text.label,))]


def _edits_of(items: Sequence[PromptedText]) -> list[EditedText]:
    """Each edited text beside its original, which comes before it."""
    found: list[EditedText] = []
    original: dict[tuple[str, str], PromptedText] = {}
    for item in items:
        of = (item.groups["category"], item.cluster)
        if item.groups["edited"] == "no":
            original[of] = item
            continue
        groups = {axis: value for axis, value in item.groups.items() if axis != "edited"}
        found.append(EditedText(item.id, original[of], item, groups, item.cluster, item.where))
    return found


def _notes(items: Sequence[PromptedText]) -> Iterator[str]:
    originals = {
        i.groups["category"] + i.cluster: i.text for i in items if i.groups["edited"] == "no"
    }
    edited = [i for i in items if i.groups["edited"] == "yes"]
    same = sum(i.text == originals[i.groups["category"] + i.cluster] for i in edited)
    if same:
        yield f"{same} of {len(edited)} edited texts are identical to their originals."
