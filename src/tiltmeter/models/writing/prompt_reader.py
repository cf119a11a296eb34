"""Turns prompts into tokens, conversations with the model's chat template and plain text as it is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.conversations import Prompt, Thinking
from tiltmeter.core.model.thoughts import opens_thought
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.writing.thinking_template import ThinkingTemplate, thinking_template


@dataclass(frozen=True, slots=True)
class ReadPrompt:
    """The tokens of a prompt."""

    ids: tuple[int, ...]
    in_thought: bool = False
    """Whether the chat template has begun a thought, in which a reply begins."""


@dataclass(slots=True)
class _Filled:
    """A filled chat template."""

    text: str
    spelled: dict[str, str] = field(default_factory=dict)
    """By stand-in, the control tokens that are spelled in somebody's text and not meant."""


class PromptReader:
    """Reads the prompts of one model."""

    def __init__(self, name: str, loaded: Loaded, *, closed: bool = False) -> None:
        """`closed` keeps the special tokens that the tokenizer puts after a text, which an encoder reads."""
        self._name = name
        self._loaded = loaded
        self._closed = closed
        self._known: tuple[Any, ThinkingTemplate] = (None, ThinkingTemplate())

    @property
    def chats(self) -> bool:
        """Whether the tokenizer has a chat template."""
        return bool(self._loaded.tokenizer.chat_template)

    @property
    def thinking(self) -> ThinkingTemplate:
        """What the chat template does about thinking: nothing where an encoder reads the prompt."""
        template = self._loaded.tokenizer.chat_template
        if self._closed or not template:
            return ThinkingTemplate()
        if self._known[0] != template:
            self._known = (template, thinking_template(self._loaded.tokenizer))
        return self._known[1]

    def tokens(self, prompts: Sequence[Prompt]) -> list[tuple[int, ...]]:
        """The tokens of each prompt, where nothing is said about thinking.

        Raises:
            CannotAnswer: The template does not allow a conversation, or there is no template.
        """
        return [self.asked(prompt).ids for prompt in prompts]

    def asked(
        self, prompt: Prompt, thinking: Thinking = "", tags: Sequence[str] = ()
    ) -> ReadPrompt:
        """The tokens of a prompt that asks for more or less thinking.

        Raises:
            CannotAnswer: As `tokens`, or the model cannot be asked for this.
        """
        if not prompt.chat:
            self._check_plain(thinking)
            return ReadPrompt(self._plain(prompt.plain))
        filled = self._filled(prompt, self._variables(thinking, tags))
        if thinking == "off":
            filled.text = self.thinking.without_thought(filled.text, tags)
        in_thought = not self._closed and opens_thought(filled.text, tags)
        return ReadPrompt(self._encoded(filled), in_thought)

    def followed(
        self, prompt: Prompt, ends: Sequence[str], thought: str | None = None, *,
        thinking: Thinking = "", tags: Sequence[str] = (),
    ) -> list[tuple[int, ...]]:  # fmt: skip
        """The tokens of a prompt with each of several beginnings of an answer behind it.

        Args:
            prompt: The prompt.
            ends: The beginnings of answers.
            thought: What the model has thought before; None, and thinking is switched off.
            thinking: How the thought was asked for.
            tags: The beginning and the end of a thought, where they are not the template's.

        Raises:
            CannotAnswer: As `asked`.
        """
        if not prompt.chat:
            self._check_plain("off" if thought is None else "on")
            return [self._plain(prompt.plain + end) for end in ends]
        template = self.thinking
        if thought is None:
            filled = self._filled(prompt, self._variables("off", tags))
            filled.text = template.without_thought(filled.text, tags)
        else:
            asked = thinking or ("" if template.thinks else "on")
            filled = self._filled(prompt, self._variables(asked, tags))
            thought = self._loaded.held_control_tokens(thought, filled.spelled)
            filled.text = template.with_thought(filled.text, thought, tags)
        return [self._encoded(filled, end) for end in ends]

    def _plain(self, text: str) -> tuple[int, ...]:
        """The tokens of a plain text with special tokens before it, and if `closed` with those after it."""
        tokens = self._loaded.encode([text], special=True)[0]
        if self._closed:
            return tokens.ids
        end = len(tokens.ids)
        while end and tokens.special[end - 1]:
            end -= 1
        before = next((i for i, special in enumerate(tokens.special) if not special), 0)
        if not tokens.ids[:end]:
            raise CannotAnswer(f"{self._name} cannot continue an empty prompt")
        return tokens.ids[:end] if before < end else tokens.ids

    def _check_plain(self, thinking: Thinking) -> None:
        if thinking not in {"", "off"}:
            raise CannotAnswer(
                f"{self._name} thinks in conversations only, and the prompt is plain text; leave out "
                "--thinking, or use a model with a chat template and --set wrap=chat"
            )

    def _variables(self, thinking: Thinking, tags: Sequence[str]) -> dict[str, object]:
        """What the chat template is given to ask for this.

        Raises:
            CannotAnswer: It does not know it.
        """
        if self._closed and thinking not in {"", "off"}:
            raise CannotAnswer(
                f"{self._name} is a sequence-to-sequence model, which does not think; leave out --thinking"
            )
        if tags and thinking == "on" and not self.thinking.can_think:
            return {}  # the user knows how it thinks
        try:
            return self.thinking.variables(thinking)
        except CannotAnswer as error:
            raise CannotAnswer(f"{self._name}: {error}") from None

    def _filled(self, prompt: Prompt, variables: dict[str, object]) -> _Filled:
        from jinja2 import TemplateError

        if not self.chats:
            raise CannotAnswer(
                f"{self._name} has no chat template, so it cannot be given a conversation; give it plain "
                "text (--set wrap=text)"
            )
        # The template's own control tokens are meant, while those spelled in somebody's text are not: the
        # latter are replaced by stand-ins while the template is filled in.
        filled = _Filled("")
        hold: Callable[[str, dict[str, str]], str] = self._loaded.held_control_tokens
        turns = [
            {"role": m.speaker, "content": hold(m.text, filled.spelled)} for m in prompt.messages
        ]
        try:
            write = self._loaded.tokenizer.apply_chat_template
            filled.text = write(turns, tokenize=False, add_generation_prompt=True, **variables)
        except (TemplateError, TypeError, ValueError, IndexError) as error:
            raise CannotAnswer(
                f"{self._name}: its chat template does not allow this conversation "
                f"({', '.join(m.speaker for m in prompt.messages)}): {' '.join(str(error).split())[:200]}"
            ) from error
        return filled

    def _encoded(self, filled: _Filled, end: str = "") -> tuple[int, ...]:
        text = filled.text + self._loaded.held_control_tokens(end, filled.spelled)
        return self._loaded.encode_template(text, filled.spelled)
