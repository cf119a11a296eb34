"""Prompts that have a model choose one of two opposite traits as the theme of a story about a group.

Every group with every pair of traits of a file of groups, in both orders of the traits.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Unpack

from tiltmeter.core.conventions import Setting, with_defaults
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import LEFT_FIRST, RIGHT_FIRST, WRAP, PromptedText
from tiltmeter.core.errors import BadInput, known_names
from tiltmeter.core.model.conversations import Message, Prompt
from tiltmeter.core.results import notes_of
from tiltmeter.core.study import Reading, Source
from tiltmeter.core.wordings import WORDING
from tiltmeter.data.groups.group_file import GroupFile, shared_words
from tiltmeter.data.groups.group_lists import (
    GROUP,
    LEFT,
    RIGHT,
    ChoicePrompt,
    Group,
    TraitPair,
    chosen,
    said,
)
from tiltmeter.data.prompts.prompt_items import number_setting, whole_setting
from tiltmeter.data.prompts.prompt_set import LARGEST_TEMPERATURE
from tiltmeter.data.prompts.wording_files import packaged_wordings
from tiltmeter.scoring.prompted_texts import REFUSES

STORIES = GroupFile.packaged[1:]
"""The packaged lists with story prompts; the first is the default."""
ORDERS = {"left": (LEFT_FIRST,), "right": (RIGHT_FIRST,), "both": (LEFT_FIRST, RIGHT_FIRST)}
"""By setting: the orders in which prompts name the two traits, as the axis `order` has them."""
STOPS = {"none": (), "newline": ("\n",)}
MOST_TOKENS = 1_000
REPLIES = 10
"""How many replies about each group and pair are drawn, both orders together."""
SETTINGS = (
    Setting("groups", default="", summary="Only these groups, separated by commas (default: all)."),
    Setting(
        "prompt",
        default="",
        summary="Which of the file's prompts to use, by name (default: the first). The packaged "
        "lists have paper and code; the latter begins the answer, which suits models that continue "
        "text.",
    ),
    Setting(
        "order",
        default="both",
        summary="Which trait the prompt names first: each in half of the prompts (both), or always "
        "left or right.",
        choices=("both", "left", "right"),
    ),
    Setting(
        "temperature",
        default="1",
        summary="Above 0 each prompt is asked 5 times (with one order, 10), unless --repeats says otherwise.",
    ),
    Setting("max_tokens", default="16", summary="The longest reply, in tokens."),
    Setting(
        "stop",
        default="none",
        summary="Whether a reply ends with its first line (newline).",
        choices=("none", "newline"),
    ),
    WORDING,
    WRAP,
    REFUSES,
)
WORDINGS = packaged_wordings(Path(__file__).with_name("wordings.toml"))
"""How a choice is asked for, by language."""


@dataclass(frozen=True, slots=True)
class Asking:
    """How every prompt is asked."""

    orders: tuple[str, ...]
    repeats: int
    """How often it is asked in each order, where the run does not say."""
    temperature: float
    max_tokens: int
    stop: tuple[str, ...] = ()


def load(
    source: Source = None, *, settings: Mapping[str, str] | None = None, **reading: Unpack[Reading]
) -> Dataset[PromptedText]:
    """The story prompts of packaged lists, by default the first of STORIES, or of a TOML file."""
    values = with_defaults(SETTINGS, settings)
    asking = _asking(values)
    file = GroupFile.named(source or STORIES[0], encoding=reading.get("encoding", ""))
    prompt = _worded(file, _prompt_named(file, values["prompt"]), values[WORDING.name])
    groups = chosen("group", file.groups, values["groups"])
    return choices_of(file, prompt, groups, asking)


def _asking(values: Mapping[str, str]) -> Asking:
    orders = ORDERS[values["order"]]
    temperature = number_setting(values, "temperature", 1, 0, LARGEST_TEMPERATURE)
    tokens = whole_setting(values, "max_tokens", 16, 1, MOST_TOKENS)
    each = REPLIES // len(orders) if temperature else 1
    return Asking(orders, each, temperature, tokens, STOPS[values["stop"]])


def _prompt_named(file: GroupFile, name: str) -> ChoicePrompt:
    if not file.choices:
        reason = "has no prompt that asks for a choice between two traits"
        way_out = "add one, beginning with [[choices]]; docs/studies/story_choice.md shows how"
        raise BadInput(reason, way_out, file=file.file)
    by_name = {choice.name: choice for choice in file.choices}
    (wanted,) = known_names("prompt", [name or file.choices[0].name], by_name)
    return by_name[wanted]


def _worded(file: GroupFile, prompt: ChoicePrompt, wording: str) -> ChoicePrompt:
    """The prompt in a wording: a name or a template. The standard wording is the prompt of the file.

    Raises:
        UnknownName: There is no wording of that name in the language of the file.
        BadInput: There are no wordings in that language, or the template lacks a place.
    """
    if wording in {"", WORDINGS.names[0]}:
        return prompt
    own = file.language in WORDINGS.own
    if not own and "{" not in wording:
        language = file.language or "the language"
        reason = f"story_choice has no wording {wording!r} in {language} of {file.name}"
        raise BadInput(
            reason, f"write a template, or name one of {', '.join(WORDINGS.own)} with --data"
        )
    text = WORDINGS.template(file.language if own else "en", wording)
    return replace(prompt, name=wording, text=text)


def choices_of(
    file: GroupFile, prompt: ChoicePrompt, groups: Sequence[Group], asking: Asking
) -> Dataset[PromptedText]:
    """The items of these groups. Where two cells have the same prompt, only the first is asked about."""
    first_of: dict[str, str] = {}
    items: list[PromptedText] = []
    left_out = []
    for group in groups:
        for pair in file.pairs:
            cell = f"{group.name}, {pair.name}"
            text = filled(prompt, group, pair, LEFT_FIRST)
            if text in first_of:
                left_out.append(f"{cell} (as {first_of[text]})")
                continue
            first_of[text] = cell
            items += _items(file, prompt, group, pair, asking)
    about = {
        "groups": f"{len(groups):,}",
        "pairs of traits": f"{len(file.pairs):,}",
        "prompts": f"{len({item.prompt for item in items}):,}",
        "wording": prompt.name,
    }
    shared = shared_words(file, "the prompts about them differ only in the opposite trait")
    cells = "; ".join(left_out)
    asked_once = [f"Asked about once, because the prompts are the same: {cells}."] if cells else []
    notes = (*notes_of("data", asked_once), *shared)
    return file.dataset(items, about, clusters="text", notes=notes)


def _items(
    file: GroupFile, prompt: ChoicePrompt, group: Group, pair: TraitPair, asking: Asking
) -> Iterator[PromptedText]:
    options = traits_of(prompt, group, pair)
    axes = {"group": group.name, "domain": group.domain, "pair": pair.name,
            "dimension": pair.dimension}  # fmt: skip
    axes = {axis: label for axis, label in axes.items() if label}
    text, cell = f"{group.forms[prompt.form]}: {' – '.join(options)}", f"{group.name}|{pair.name}"
    for order in asking.orders:
        asked = Prompt((Message("user", filled(prompt, group, pair, order)),))
        yield PromptedText(
            f"{cell}|{order}", text, asked, options, roles=("left", "right"),
            max_tokens=asking.max_tokens, temperature=asking.temperature, stop=asking.stop,
            repeats=asking.repeats, groups={**axes, "order": order}, cluster=cell, where=file.file,
        )  # fmt: skip


def traits_of(prompt: ChoicePrompt, group: Group, pair: TraitPair) -> tuple[str, str]:
    """The words for the left and the right trait, as they agree with the group in this prompt."""
    left, right = (said(words, group.gender, prompt.form)[0] for words in (pair.left, pair.right))
    return left, right


def filled(prompt: ChoicePrompt, group: Group, pair: TraitPair, order: str) -> str:
    """The prompt's text about this group, with the traits in this order.

    >>> prompt = ChoicePrompt("short", "{group}: {left} or {right}?", "singular")
    >>> cold = TraitPair({"": ("cold",)}, {"": ("warm",)})
    >>> filled(prompt, Group("woman", {"singular": "a woman"}), cold, "right first")
    'a woman: warm or cold?'
    """
    words = traits_of(prompt, group, pair)
    places = sorted((LEFT, RIGHT), key=prompt.text.index)
    ordered = words if order == LEFT_FIRST else words[::-1]
    text = prompt.text
    for place, word in zip(places, ordered, strict=True):
        text = text.replace(place, word)
    return text.replace(GROUP, group.forms[prompt.form])
