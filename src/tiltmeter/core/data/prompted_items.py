"""Items of studies that ask a model to write: a text, and what the model is to say about it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tiltmeter.core.conventions import Setting
from tiltmeter.core.model.conversations import Prompt
from tiltmeter.core.types import Groups

LEFT_FIRST, RIGHT_FIRST = "left first", "right first"
"""Values of the axis `order`: which of two opposite traits a prompt names first."""
WRAP = Setting(
    "wrap",
    "auto",
    "How prompts are given: as a conversation under the model's chat template, or as plain text that it "
    "continues; auto is a conversation where the model was made for them.",
    ("auto", "chat", "text"),
)


@dataclass(frozen=True, slots=True)
class PromptedText:
    """A text that a model is asked about, with the labels from which the model is to choose."""

    id: str
    text: str
    prompt: Prompt
    """The whole prompt, with the text in it."""
    options: tuple[str, ...]
    """The allowed labels, as a reply would spell them: ("yes", "no")."""
    truth: str = ""
    """The right option; "" if nobody says which is right."""
    positive: str = ""
    """The label that says that the text is of the category asked about: precision, recall and F1 refer to
    it. "" where all labels are on a par."""
    max_tokens: int = 16
    temperature: float = 0.0
    top_p: float = 1.0
    stop: tuple[str, ...] = ()
    repeats: int = 1
    """How many replies the data ask for, where the run does not say (`RunOptions.repeats`)."""
    rank: int = 0
    """Which of several texts that the prompt is to have, from 0: the likeliest, the next, and so on."""
    groups: Groups = field(default_factory=dict)
    """Axes to report over: setting, category, example_set, label, …"""
    cluster: str = ""
    """The id of the text: all that was asked about it belongs together."""
    where: str = ""
    """File and line, for messages."""
    examples: tuple[str, ...] = ()
    """What the prompt shows of a set of examples that several texts share: the label of each and its text."""
    words: Mapping[str, str] = field(default_factory=dict)
    """For a list whose words are each to be given an option: the kind of each word. Two scores follow:
    ROLE_KIND, how many words of a kind were given an option with a role, and none_KIND, how many were given
    none."""
    roles: tuple[str, ...] = ()
    """What each option stands for, whatever its place and its words: ("other", "stereotyped", "unknown"). How
    far a reply chooses the options of a role is a score of that name. "" for an option without a role, and ()
    where none has one."""
    places: tuple[int, ...] = ()
    """At which place the prompt lists each option, from 0; () where it lists none."""

    worded: tuple[str, ...] = ()
    """Where options are letters, ("(a)", "(b)"), each with the words that the prompt shows beside it:
    ("(a) the cook", "(b) the player"); () otherwise."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The prompt as plain text.

        >>> from tiltmeter.core.model.conversations import Message
        >>> PromptedText("1", "x", Prompt((Message("user", "Is ‘x’ so?"),)), ("yes", "no")).texts
        ('Is ‘x’ so?',)
        """
        return (self.prompt.plain,)

    def about(self, text: str) -> "PromptedText":
        """The same question about another text, which replaces this one in the last message that contains it.

        >>> from tiltmeter.core.model.conversations import Message
        >>> item = PromptedText("1", "x", Prompt((Message("user", "Is ‘x’ so?"),)), ("yes", "no"))
        >>> item.about("y").texts
        ('Is ‘y’ so?',)

        Raises:
            ValueError: No message has the text.
        """
        messages = [*self.prompt.messages]
        for at in reversed(range(len(messages))):
            before, found, after = messages[at].text.rpartition(self.text)
            if found:
                messages[at] = replace(messages[at], text=f"{before}{text}{after}")
                return replace(self, text=text, prompt=replace(self.prompt, messages=(*messages,)))
        raise ValueError(f"no message of the prompt of {self.id} has its text")


@dataclass(frozen=True, slots=True)
class AskedInference:
    """One of several hypotheses that a model is to write about a premise."""

    id: str
    premise: str
    label: str
    """How the premise names the group: "Cuban person"."""
    relation: str
    """What the hypothesis is to the premise, as in `core.data.inference_prompts`."""
    rank: int
    """Which of several hypotheses about the premise, from 0."""
    groups: Groups = field(default_factory=dict)
    """Axes to report over: domain, group, relation, kind."""
    cluster: str = ""
    """The situation: premises that differ only in the group belong together."""
    where: str = ""
    """The file that the item comes from, which error messages name."""

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts that a rule may ask about: the premise."""
        return (self.premise,)
