"""The items of a prompt set: every text in every setting."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tiltmeter.core.conventions import Setting
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.errors import BadInput, known_names
from tiltmeter.core.results import notes_of
from tiltmeter.core.text import counted, decimal_number
from tiltmeter.data.prompts.fitting import example_sets
from tiltmeter.data.prompts.prompt_set import (
    ALL,
    LARGEST_TEMPERATURE,
    PromptSet,
    PromptSetting,
    chosen_examples,
)

WHOLE = "a whole number"
DRAWN = (
    Setting("max_tokens", "24", "The longest text that is written, in tokens."),
    Setting("beams", "", "Rule beam: how many beams (default: as many as texts of a prompt)."),
    Setting("temperature", "1", "Rule sample: the temperature of the draw."),
    Setting("top_p", "0.9", "Rule sample: draw from the likeliest tokens with this probability."),
)
"""Settings of the rules `beam` and `sample`, which read them from the context."""
MOST = 100
"""Texts of a prompt, and beams."""


def dataset_of(made: PromptSet, items: Sequence[PromptedText]) -> Dataset[PromptedText]:
    """Items with what a set says about itself."""
    about = {
        "settings": ", ".join(dict.fromkeys(item.groups["setting"] for item in items)),
        "texts": f"{len({item.text for item in items}):,}",
        "prompts": f"{len({item.prompt for item in items}):,}",
    }
    source = "; ".join(filter(None, (made.title, made.source))) or made.file
    shown = {example.text for example in made.examples}
    both = sum(text.text in shown for text in made.texts)
    again = f"{both} of {counted(len(made.texts), 'texts')} also shown as examples."
    notes = notes_of("data", [again] if both else [])
    facts = {"source": source, "clusters": "text", "invalid": made.invalid}
    return made.dataset(items, about, notes=notes, **facts)


def items_of(made: PromptSet, setting: PromptSetting) -> list[PromptedText]:
    """Every text of a set, asked about in one setting, once for each set of examples."""
    if not setting.shown:
        return [i for text in made.texts for i in setting.items(text, made.categories)]
    items: list[PromptedText] = []
    for name, category in example_sets(setting, made):
        shown = chosen_examples(setting, [e for e in made.examples if e.set == name], category)
        categories = made.categories if category == ALL else (category,)
        for text in made.texts:
            is_asked = category in {ALL, text.label} or text.label not in made.categories
            if is_asked or setting.asks_others:
                items += setting.items(text, categories, examples=shown, example_set=name)
    return items


def asked_settings(made: PromptSet, names: str) -> list[PromptSetting]:
    """The settings named, separated by commas or semicolons; "" and "all" are all of them."""
    by_name = {setting.name: setting for setting in made.settings}
    chosen = names_in(names)
    if chosen in ([], ["all"]):
        return [*made.settings]
    return [by_name[name] for name in known_names("setting", chosen, by_name)]


def names_in(text: str) -> list[str]:
    """Names separated by commas or semicolons, each once.

    >>> names_in("zero, few; zero")
    ['zero', 'few']
    """
    return [*dict.fromkeys(filter(None, map(str.strip, text.replace(";", ",").split(","))))]


def changed(setting: PromptSetting, values: Mapping[str, str]) -> PromptSetting:
    """A setting with the user's temperature and wrap, as far as they say something.

    Repeats that a set has for replies that are drawn do not count if the user sets the temperature to 0.
    """
    temperature = number_setting(values, "temperature", setting.temperature, 0, LARGEST_TEMPERATURE)
    wrap = values.get("wrap", "")
    return replace(
        setting,
        repeats=setting.repeats if temperature or not setting.temperature else 1,
        temperature=temperature,
        chat=setting.chat if wrap in {"", "auto"} else wrap == "chat",
    )


def check_drawn(values: Mapping[str, str]) -> None:
    """Check DRAWN, so that a mistake is reported before anything is loaded.

    Raises:
        BadInput: As `number_setting`.
    """
    whole_setting(values, "max_tokens", 24, 1, 1_000)
    whole_setting(values, "beams", 1, 1, MOST)
    number_setting(values, "temperature", 1, 0, LARGEST_TEMPERATURE)
    number_setting(values, "top_p", 1, 0.01, 1)


def number_setting(
    values: Mapping[str, str], name: str, default: float, least: float, most: float,
    kind: str = "a number",
) -> float:  # fmt: skip
    """A setting of the user's as a number; the default where it is "" or absent.

    Raises:
        BadInput: It is not a number, or outside the limits.
    """
    text = values.get(name, "").strip()
    value = decimal_number(text) if text else default
    whole = kind == WHOLE
    if value is None or not least <= value <= most or (whole and not float(value).is_integer()):
        way_out = f"write {kind} from {least:g} to {most:g}"
        raise BadInput(f"the setting {name} is {text!r}", way_out)
    return value


def whole_setting(values: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    """A setting of the user's as a whole number; errors as `number_setting`."""
    return int(number_setting(values, name, default, least, most, WHOLE))
