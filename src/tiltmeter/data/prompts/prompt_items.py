"""The items of a prompt set: every text in every setting."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.items import Dataset
from tiltmeter.core.prompted_items import WRAP, PromptedText
from tiltmeter.core.results import notes_of
from tiltmeter.core.study import Setting, with_defaults
from tiltmeter.core.text import decimal_number
from tiltmeter.data.files.package_files import package_file
from tiltmeter.data.pairs.pairs import choose
from tiltmeter.data.prompts.fitting import example_sets
from tiltmeter.data.prompts.prompt_set import (
    ALL,
    LARGEST_TEMPERATURE,
    MOST_REPEATS,
    PromptSet,
    PromptSetting,
    chosen_examples,
)
from tiltmeter.data.prompts.prompt_set_file import read_prompt_set

PACKAGED = "starter_prompts"
"""The prompt set that comes with the package, all texts our own."""
SETTINGS = (
    Setting("settings", "all", "Names of the set's settings, separated by commas."),
    Setting("repeats", "", "How often each prompt is asked; by default as the set says."),
    Setting("temperature", "", "By default as the set says; at 0, each prompt is asked once."),
    WRAP,
)


def packaged(name: str, *, needs_texts: bool = True) -> PromptSet:
    """A prompt set of the package."""
    return read_prompt_set(package_file(f"prompts/{name}.toml"), needs_texts=needs_texts)


def load_prompts(
    source: str | Path | None = None,
    *,
    skip_invalid: bool = False,
    encoding: str = "",
    settings: Mapping[str, str] | None = None,
) -> Dataset[PromptedText]:
    """The items of a prompt set.

    Args:
        source: A TOML file, or None for the packaged set.
        skip_invalid: Leave out rows of its table that are no texts, and list them in `invalid`.
        encoding: Of the file and its table.
        settings: Those of SETTINGS.

    Raises:
        BadInput: `source` is neither, a file cannot be read, or a setting has no such value.
        BadItems: What the file says cannot be used.
        UnknownName: The set has no setting of a name.
    """
    chosen = choose(source, PACKAGED, (PACKAGED,))
    if isinstance(chosen, Path):
        made = read_prompt_set(chosen, encoding=encoding, skip_invalid=skip_invalid)
    else:
        made = packaged(chosen)
    told = with_defaults(SETTINGS, settings)
    asked = asked_settings(made, told["settings"])
    varied = [changed(setting, told) for setting in asked]
    return dataset_of(made, [item for s in varied for item in items_of(made, s)])


def dataset_of(made: PromptSet, items: Sequence[PromptedText]) -> Dataset[PromptedText]:
    """Items with what a set says about itself."""
    about = {
        "settings": ", ".join(dict.fromkeys(item.groups["setting"] for item in items)),
        "texts": f"{len({item.text for item in items}):,}",
        "prompts": f"{len({item.prompt for item in items}):,}",
    }
    source = "; ".join(filter(None, (made.title, made.source))) or made.file
    notes = notes_of("data", _notes(made))
    return made.dataset(
        items, about, source=source, clusters="text", invalid=made.invalid, notes=notes
    )


def _notes(made: PromptSet) -> Iterator[str]:
    shown = {one.text for one in made.examples}
    if both := sum(text.text in shown for text in made.texts):
        yield f"{both} of {len(made.texts)} texts are also shown as examples."


def items_of(made: PromptSet, setting: PromptSetting) -> list[PromptedText]:
    """Every text of a set, asked about in one setting, once for each set of examples."""
    if not setting.shown:
        return [i for text in made.texts for i in setting.items(text, made.categories)]
    found: list[PromptedText] = []
    for name, category in example_sets(setting, made):
        some = [one for one in made.examples if one.set == name]
        shown = chosen_examples(setting, some, category)
        categories = made.categories if category == ALL else (category,)
        for text in made.texts:
            mine = category in {ALL, text.label} or text.label not in made.categories
            if mine or setting.asks_others:
                found += setting.items(text, categories, examples=shown, example_set=name)
    return found


def asked_settings(made: PromptSet, names: str) -> list[PromptSetting]:
    """The settings named, separated by commas or semicolons; "" and "all" are all of them.

    Raises:
        UnknownName: The set has no such setting.
    """
    by_name = {setting.name: setting for setting in made.settings}
    named = names_in(names)
    if named in ([], ["all"]):
        return [*made.settings]
    for name in named:
        if name not in by_name:
            raise UnknownName("setting", name, by_name)
    return [by_name[name] for name in named]


def names_in(text: str) -> list[str]:
    """Names separated by commas or semicolons, each once.

    >>> names_in("zero, few; zero")
    ['zero', 'few']
    """
    parts = (part.strip() for part in text.replace(";", ",").split(","))
    return [*dict.fromkeys(filter(None, parts))]


def changed(setting: PromptSetting, told: Mapping[str, str]) -> PromptSetting:
    """A setting with the user's repeats, temperature and wrap, as far as they say something.

    At temperature 0 a prompt is asked once, because all replies to it would be equal.

    Raises:
        BadInput: One of them has no such value.
    """
    repeats = told_number(told, "repeats", setting.repeats, 1, MOST_REPEATS, whole=True)
    temperature = told_number(told, "temperature", setting.temperature, 0, LARGEST_TEMPERATURE)
    wrap = told.get("wrap", "")
    return replace(
        setting,
        repeats=int(repeats) if temperature else 1,
        temperature=temperature,
        chat=setting.chat if wrap in {"", "auto"} else wrap == "chat",
    )


def told_number(
    told: Mapping[str, str],
    name: str,
    default: float,
    least: float,
    most: float,
    *,
    whole: bool = False,
) -> float:
    """A setting of the user's as a number; the default where it is "" or absent.

    Raises:
        BadInput: It is not a number, or outside the limits.
    """
    text = told.get(name, "").strip()
    if not text:
        return default
    value = decimal_number(text)
    if value is None or not least <= value <= most or (whole and not value.is_integer()):
        kind = "a whole number" if whole else "a number"
        way_out = f"write {kind} from {least:g} to {most:g}"
        raise BadInput(f"the setting {name} is {text!r}", way_out)
    return value
