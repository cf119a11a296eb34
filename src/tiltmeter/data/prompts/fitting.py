"""What must fit together in a prompt set: templates and their places, options, labels and examples."""

import difflib
from collections import Counter
from collections.abc import Iterator, Sequence

from tiltmeter.core.reading.templates import filled, places
from tiltmeter.core.reading.typed_values import Fault
from tiltmeter.core.text import counted
from tiltmeter.data.prompts.prompt_set import (
    ALL,
    ANY_OTHER,
    CATEGORY,
    EXAMPLE,
    EXAMPLE_LABEL,
    EXAMPLES,
    OWN_AXES,
    TEXT,
    AskedText,
    PromptSet,
    PromptSetting,
    chosen_examples,
)

_IN_MESSAGES = (TEXT, CATEGORY, EXAMPLE, EXAMPLE_LABEL, EXAMPLES)
_LISTED = 5


def misfits(made: PromptSet, *, needs_texts: bool = True) -> Iterator[Fault]:
    """What does not go together in a prompt set; without `needs_texts` whatever its texts are."""
    if ALL in made.categories:
        yield Fault(f"categories: {ALL!r} has a meaning of its own", "name it differently")
    for category, times in Counter(made.categories).items():
        if times > 1:
            yield Fault(f"categories: {category!r} is listed {times} times", "list it once")
    wrong = [f for setting in made.settings for f in check_templates(setting, made.categories)]
    yield from wrong
    if needs_texts and not made.texts:
        yield Fault("has no texts", 'write [[texts]] or texts = "FILE.csv"')
    if needs_texts and not wrong:
        yield from check_fit(made)


def check_templates(setting: PromptSetting, categories: Sequence[str]) -> Iterator[Fault]:
    """Complain of what is wrong with one setting, whatever the texts are."""
    at = f"[settings.{setting.name}]"
    if not setting.name or not setting.name.isprintable() or "|" in setting.name:
        yield Fault(f"{at}: the name has a sign that cannot be shown", "use letters")
    places_wrong = [*_check_places(setting, at, categories)]
    yield from places_wrong
    if not places_wrong:
        yield from _check_examples_shown(setting, at)
        every = [(category, setting.options_for(category)) for category in categories or (ALL,)]
        for options in dict.fromkeys(options for _, options in every):
            yield from _check_options(at, options)
        for category, options in every:
            yield from _check_right(setting, at, category, options)


def check_fit(made: PromptSet) -> Iterator[Fault]:
    """Complain of texts and examples that do not fit the settings."""
    for name, times in Counter(text.id for text in made.texts).items():
        if times > 1:
            yield Fault(f"{times} texts have the id {name!r}", "give each an id of its own")
    for axis in dict.fromkeys(axis for text in made.texts for axis in text.groups):
        if axis in OWN_AXES:
            yield Fault(f"groups has {axis!r}, which every item has", "name it differently")
    for setting in made.settings:
        yield from _check_labels(setting, made)
        for name, category in example_sets(setting, made):
            try:
                chosen_examples(setting, [e for e in made.examples if e.set == name], category)
            except LookupError as lacking:
                yield Fault(
                    f"[settings.{setting.name}] shows more examples labelled {lacking.args[0]!r} than "
                    f"the set {name!r} has",
                    "add [[examples]] with this label and set",
                )


def example_sets(setting: PromptSetting, made: PromptSet) -> list[tuple[str, str]]:
    """Each set of examples with each category that the setting asks about it; none if it shows none."""
    if not setting.shown:
        return []
    names = dict.fromkeys(example.set for example in made.examples) or {"1": None}
    categories = made.categories if setting.by_category else (ALL,)
    return [(name, category) for name in names for category in categories]


def _check_places(setting: PromptSetting, at: str, categories: Sequence[str]) -> Iterator[Fault]:
    templates = [
        *((f"the {m.speaker} message", m.text, _IN_MESSAGES) for m in setting.messages),
        *(("options", option, (CATEGORY,)) for option in setting.options),
        *(("shown", label, (CATEGORY,)) for label in setting.shown),
        *(("truth", text, (CATEGORY,)) for pair in setting.truth.items() for text in pair),
        ("positive", setting.positive, (CATEGORY,)),
        ("example", setting.example, (EXAMPLE, EXAMPLE_LABEL, CATEGORY)),
    ]
    used: set[str] = set()
    for where, template, allowed in templates:
        try:
            names = places(template)
        except ValueError as wrong:
            yield Fault(f"{at}: {where} {wrong}", "write {{ or }} for a brace of the text")
            continue
        used |= {*names}
        for place in names:
            if place not in allowed:
                near = difflib.get_close_matches(place, allowed, n=1)
                hint = f"did you mean {{{near[0]}}}? " if near else ""
                known = ", ".join(f"{{{name}}}" for name in allowed)
                reason = f"{at}: {where} has an unknown place {{{place}}}"
                yield Fault(reason, f"{hint}known here: {known}")
    if setting.messages and TEXT not in used:
        yield Fault(f"{at}: no message has {{text}}", "write {text} where the text belongs")
    if CATEGORY in used and not categories:
        way_out = 'write categories = ["…"] at the top of the file'
        yield Fault(f"{at} has {{category}}, and the file names no categories", way_out)


def _check_examples_shown(setting: PromptSetting, at: str) -> Iterator[Fault]:
    used = {place for message in setting.messages for place in places(message.text)}
    if setting.shown and not used & {EXAMPLE, EXAMPLE_LABEL, EXAMPLES}:
        yield Fault(f"{at}: no message has a place for the examples", "write {examples}")
    if not setting.shown and used & {EXAMPLE, EXAMPLE_LABEL, EXAMPLES}:
        way_out = 'write shown = ["…", "…"], the labels of the examples in order'
        yield Fault(f"{at} does not say which examples are shown", way_out)
    if (EXAMPLES in used) != bool(setting.example):
        reason = f"{at}: {{examples}} in a message and example = … belong together"
        yield Fault(reason, 'write for example example = "‘{example}’: {example_label}."')
    elif setting.example and EXAMPLE not in places(setting.example):
        yield Fault(f"{at}: example has no {{example}}", "write {example} in it")


def _check_options(at: str, options: Sequence[str]) -> Iterator[Fault]:
    if len(options) < 2:  # noqa: PLR2004
        yield Fault(f"{at} has {counted(len(options), 'options')}", 'write options = ["…", "…"]')
    for option, times in Counter(o.strip().casefold() for o in options).items():
        if times > 1:
            yield Fault(f"{at}: options has {option!r} {times} times", "write it once")


def _check_right(
    setting: PromptSetting, at: str, category: str, options: Sequence[str]
) -> Iterator[Fault]:
    for key in setting.truth:
        option = setting.right_option(category if CATEGORY in places(key) else key, category)
        if option not in options:
            yield Fault(
                f"{at}: truth of {key!r} is {option!r}", f"write one of {', '.join(options)}"
            )
    positive = setting.positive_for(category)
    if positive and positive not in options:
        yield Fault(f"{at}: positive is {positive!r}", f"write one of {', '.join(options)}")


def _check_labels(setting: PromptSetting, made: PromptSet) -> Iterator[Fault]:
    every = [AskedText("", "", label) for label in dict.fromkeys(t.label for t in made.texts)]
    asked = [
        (text.label, category)
        for text in every
        for category in (setting.tables(text, made.categories) if made.categories else (ALL,))
    ]
    templates = (setting.example, *(message.text for message in setting.messages))
    if any(EXAMPLE_LABEL in places(template) for template in templates):
        categories = made.categories if setting.by_category else (ALL,)
        asked += [(filled(t, {CATEGORY: c}), c) for t in setting.shown for c in categories]
    without = (label for label, category in asked if not setting.right_option(label, category))
    if wrong := [*dict.fromkeys(filter(None, without))]:
        shown = ", ".join(repr(label) for label in wrong[:_LISTED])
        known = ", ".join(map(repr, setting.truth)) or "the options"
        reason = f"[settings.{setting.name}]: no option is right for the label {shown}"
        way_out = f'add it to truth, or "{ANY_OTHER}" for every other label (now: {known})'
        yield Fault(reason, way_out)
