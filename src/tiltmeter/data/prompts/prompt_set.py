"""A prompt set: how models are asked about texts, in one or more settings, and the texts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, Any, Literal, TypeAlias

from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.errors import Problem
from tiltmeter.core.model.conversations import SPEAKERS, Message, Prompt
from tiltmeter.core.reading.templates import filled, places
from tiltmeter.core.reading.typed_values import UNREAD, Fault, Key, Raw, reader
from tiltmeter.core.reading.value_types import Line, Text, by_name, some, via, within
from tiltmeter.core.text import counted
from tiltmeter.data.files.toml_file import ListFile
from tiltmeter.data.pairs.sentences import sentence

TEXT, CATEGORY = "text", "category"
EXAMPLE, EXAMPLE_LABEL, EXAMPLES = "example", "example_label", "examples"
"""The places of templates. EXAMPLES is all examples, each in the setting's own line; a message with EXAMPLE
or EXAMPLE_LABEL is written once for each of them."""
OWN_AXES = ("setting", "category", "example_set", "label")
"""Axes of every item, which the groups of a text must not use."""
ANY_OTHER = "*"
"""In `truth`: every label that is not named."""
ALL = "all labels"
"""The category of items about no single category."""
LARGEST_TEMPERATURE = 2
MOST_REPEATS = 10_000
Wrap: TypeAlias = Literal["auto", "chat", "text"]
"""How a prompt is given: as a conversation, or as plain text to be continued; "auto" lets the model
decide."""


@dataclass(frozen=True, slots=True)
class _Turn:
    system: Text = ""
    user: Text = ""
    assistant: Text = ""

    def faults(self) -> Iterator[Fault]:
        if len(self.messages) != 1:
            yield Fault(f"has {counted(len(self.messages), 'speakers')}", 'write { user = "…" }')

    @property
    def messages(self) -> list[Message]:
        return [Message(who, text) for who in SPEAKERS if (text := getattr(self, who))]


def _messages(value: object) -> tuple[Message, ...]:
    """A prompt, or a list of turns."""
    if isinstance(value, str):
        return (Message("user", reader(Text)(value)),)
    turns = some(reader(tuple[_Turn, ...])(value))
    if not turns[-1].user:
        raise Fault("does not end with the user", "end with { user = … }")
    return tuple(message for turn in turns for message in turn.messages)


def _numbered(value: object) -> Any:
    """Texts, named by their numbers where they have no names."""
    if isinstance(value, list):
        value = [
            {"id": str(number), **entry} if isinstance(entry, Mapping) else entry
            for number, entry in enumerate(value, start=1)
        ]
    texts = reader(tuple[AskedText, ...])(value)
    return tuple(replace(text, where=f"[[texts]] {i}") for i, text in enumerate(texts, start=1))


@dataclass(frozen=True, slots=True)
class AskedText:
    """A text that models are asked about."""

    id: Line
    text: Annotated[Text, sentence]
    label: Line = ""
    """What people called it; "" where nobody did."""
    groups: Mapping[str, Line] = field(default_factory=dict)
    cluster: Line = ""
    """Texts with the same one belong together; "" is the text's own id."""
    where: Annotated[str, UNREAD] = ""


@dataclass(frozen=True, slots=True)
class ShownExample:
    """A text that a prompt shows with its label."""

    text: Text
    label: Text
    set: Line = "1"


@dataclass(frozen=True)
class PromptSetting:
    """One way of asking. Messages, options, `truth` and `positive` are templates.

    What is the same for all categories is made once: a set may have thousands of them, and of options.
    """

    name: Line
    messages: Annotated[tuple[Message, ...], Key("prompt", "messages"), Raw(_messages)]
    options: tuple[Text, ...] = ()
    truth: Mapping[str, Text] = field(default_factory=dict)
    """Label to option; {} where the labels are the options."""
    positive: Text = ""
    example: Text = ""
    """How {examples} writes one example."""
    shown: tuple[Text, ...] = ()
    """The labels of the examples that a prompt shows, in order."""
    asks_others: bool = False
    """Whether a question about one category is also asked about texts labelled with another."""
    max_tokens: Annotated[int, within(1)] = 16
    temperature: Annotated[float, within(0, LARGEST_TEMPERATURE)] = 0.0
    top_p: Annotated[float, within(0.001, 1)] = 1.0
    stop: tuple[Text, ...] = ()
    repeats: Annotated[int, within(1, MOST_REPEATS)] = 1
    """How often each prompt is asked, where the run does not say."""
    chat: Annotated[bool, Key("wrap"), via(Wrap, lambda wrap: wrap != "text")] = True

    @cached_property
    def by_category(self) -> bool:
        """Whether each category is asked about in prompts of its own."""
        templates = (*(m.text for m in self.messages), *self.options, self.example, *self.shown)
        return any(CATEGORY in places(template) for template in templates)

    def tables(self, text: AskedText, categories: Sequence[str]) -> tuple[str, ...]:
        """The categories that a text is asked about, or in whose tables it is counted.

        A text labelled with another category is left out, unless `asks_others`. Where one prompt is about all
        categories, ALL comes first; one-vs-rest tables follow if `positive` names the category.
        """
        alone = text.label in categories and not self.asks_others
        asked = [text.label] if alone else list(categories)
        if self.by_category:
            return tuple(asked)
        one_vs_rest = self._positive_is_category and self.right_option(text.label, ALL)
        return (ALL, *asked) if one_vs_rest else (ALL,)

    def table_name(self, category: str) -> str:
        """The setting's name; with ALL behind it where one-vs-rest tables are counted by themselves."""
        whole = category == ALL and not self.by_category and self._positive_is_category
        return f"{self.name}, {ALL}" if whole else self.name

    @cached_property
    def _positive_is_category(self) -> bool:
        return CATEGORY in places(self.positive)

    def options_for(self, category: str) -> tuple[str, ...]:
        """The options of a question about this category; the same tuple where they do not depend on it."""
        return self._options if self._options is not None else self._options_of(category)

    @cached_property
    def _options(self) -> tuple[str, ...] | None:
        """The options of all categories; None where they depend on the category."""
        return None if any(CATEGORY in places(o) for o in self.options) else self._options_of("")

    def _options_of(self, category: str) -> tuple[str, ...]:
        return tuple(filled(option, {CATEGORY: category}) for option in self.options)

    def positive_for(self, category: str) -> str:
        """The positive option of a question about this category; "" where options are on a par."""
        if self._positive_is_category and category == ALL and not self.by_category:
            return ""
        return filled(self.positive, {CATEGORY: category})

    def right_option(self, label: str, category: str) -> str:
        """The option that is right for a label; "" where none is known to be.

        >>> zero = PromptSetting("zero", (), ("yes", "no"), {"{category}": "yes", "*": "no"})
        >>> zero.right_option("rude", "rude"), zero.right_option("polite", "rude")
        ('yes', 'no')
        """
        if not label:
            return ""
        if not self.truth:
            return label if label in self.options_for(category) else ""
        known = self._truth if self._truth is not None else self._truth_of(category)
        return filled(known.get(label, self.truth.get(ANY_OTHER, "")), {CATEGORY: category})

    @cached_property
    def _truth(self) -> Mapping[str, str] | None:
        """The option for each label; None where labels depend on the category."""
        return None if any(CATEGORY in places(key) for key in self.truth) else self._truth_of("")

    def _truth_of(self, category: str) -> Mapping[str, str]:
        return {filled(key, {CATEGORY: category}): option for key, option in self.truth.items()}

    def prompt(
        self, text: str, *, category: str = "", examples: Sequence[ShownExample] = ()
    ) -> Prompt:
        """The prompt about a text, with these examples.

        >>> asked = Message("user", "Is this {category}? ‘{text}’")
        >>> PromptSetting("zero", (asked,), ("yes", "no")).prompt("Hello!", category="rude").plain
        'Is this rude? ‘Hello!’'
        """
        values = {TEXT: text, CATEGORY: category}
        shown = [
            {EXAMPLE: e.text, EXAMPLE_LABEL: self.right_option(e.label, category)} for e in examples
        ]
        values[EXAMPLES] = "\n".join(filled(self.example, values | each) for each in shown)
        return Prompt(tuple(_written(self.messages, values, shown)), self.chat)

    def items(
        self,
        text: AskedText,
        categories: Sequence[str],
        *,
        examples: Sequence[ShownExample] = (),
        example_set: str = "",
    ) -> Iterator[PromptedText]:
        """The items about one text, one for each of its tables."""
        for category in self.tables(text, categories) if categories else (ALL,):
            groups = {
                "setting": self.table_name(category),
                "category": category if categories else "",
                "example_set": example_set,
                "label": text.label,
                **text.groups,
            }
            groups = {axis: name for axis, name in groups.items() if name}
            places_of_item = (self.name, groups.get("category", ""), example_set, text.id)
            yield PromptedText(
                id="|".join(part for part in places_of_item if part),
                text=text.text,
                prompt=self.prompt(text.text, category=category, examples=examples),
                options=self.options_for(category),
                truth=self.right_option(text.label, category),
                positive=self.positive_for(category),
                max_tokens=self.max_tokens,
                temperature=self.temperature,
                top_p=self.top_p,
                stop=self.stop,
                repeats=self.repeats,
                groups=groups,
                cluster=text.cluster or text.id,
                where=text.where,
                examples=tuple(f"{e.label}: {e.text}" for e in examples if example_set),
            )


@dataclass(frozen=True, slots=True)
class TextColumns:
    """Columns of a table of texts; "" for one of the usual name, where there is one."""

    text: Line = "text"
    id: Line = ""
    label: Line = ""
    cluster: Line = ""
    groups: Mapping[str, Line] = field(default_factory=dict)
    """The column for each axis."""


@dataclass(frozen=True, kw_only=True)
class PromptSet(ListFile):
    """A file of settings, examples and texts."""

    settings: Annotated[tuple[PromptSetting, ...], by_name(PromptSetting), some]
    categories: tuple[Line, ...] = ()
    examples: tuple[ShownExample, ...] = ()
    texts: Annotated[tuple[AskedText, ...], Raw(_numbered)] = ()
    columns: TextColumns | None = None
    wrap: Wrap = "auto"
    """The default for settings without one of their own."""
    invalid: Annotated[tuple[Problem, ...], UNREAD] = ()
    """Rows of its table that are no texts, and were left out."""


def chosen_examples(
    setting: PromptSetting, examples: Sequence[ShownExample], category: str
) -> tuple[ShownExample, ...]:
    """For each label that the setting shows, the next example with it.

    Raises:
        LookupError: There are too few with one label, which is its argument.
    """
    left = list(examples)
    chosen = []
    for template in setting.shown:
        label = filled(template, {CATEGORY: category})
        example = next((e for e in left if e.label == label), None)
        if example is None:
            raise LookupError(label)
        left.remove(example)
        chosen.append(example)
    return tuple(chosen)


def _written(
    messages: Sequence[Message], values: Mapping[str, str], shown: Sequence[Mapping[str, str]]
) -> Iterator[Message]:
    """The messages filled in, and neighbours that show an example repeated for each example."""
    block: list[Message] = []
    for message in (*messages, None):
        if message is not None and {EXAMPLE, EXAMPLE_LABEL} & {*places(message.text)}:
            block.append(message)
            continue
        for example in shown if block else ():
            yield from (replace(m, text=filled(m.text, {**values, **example})) for m in block)
        block = []
        if message is not None:
            yield replace(message, text=filled(message.text, values))
