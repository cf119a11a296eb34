"""Prompts as the tokens that a local model reads."""

from collections.abc import Sequence

from tiltmeter.core.conversations import Prompt
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.models.opening.loaded import Loaded


class PromptReader:
    """Turns prompts into tokens: conversations by the model's chat template, plain text as it is."""

    def __init__(self, name: str, loaded: Loaded, *, closed: bool = False) -> None:
        """`closed` keeps what the tokenizer puts behind a text, as an encoder reads it."""
        self._name = name
        self._loaded = loaded
        self._closed = closed

    @property
    def chats(self) -> bool:
        """Whether the tokenizer has a chat template."""
        return bool(self._loaded.tokenizer.chat_template)

    def tokens(self, prompts: Sequence[Prompt]) -> list[tuple[int, ...]]:
        """The tokens of each prompt.

        Raises:
            CannotAnswer: It is a conversation that the template does not allow, or there is no template.
        """
        return self.followed([(prompt, "") for prompt in prompts])

    def followed(self, texts: Sequence[tuple[Prompt, str]]) -> list[tuple[int, ...]]:
        """The tokens of each prompt with a text behind it."""
        return [
            self._plain(p.plain + end) if not p.chat else self._turns(p, end) for p, end in texts
        ]

    def _plain(self, text: str) -> tuple[int, ...]:
        """With the special token that the tokenizer puts before a text; one behind it only if closed."""
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

    def _turns(self, prompt: Prompt, end: str) -> tuple[int, ...]:
        from jinja2 import TemplateError

        if not self.chats:
            raise CannotAnswer(
                f"{self._name} has no chat template, so it cannot be given a conversation; give it plain "
                "text (--set wrap=text)"
            )
        turns = [{"role": m.speaker, "content": m.text} for m in prompt.messages]
        try:
            text = self._loaded.tokenizer.apply_chat_template(
                turns, tokenize=False, add_generation_prompt=True
            )
        except (TemplateError, TypeError, ValueError, IndexError) as error:
            raise CannotAnswer(
                f"{self._name}: its chat template does not allow this conversation "
                f"({', '.join(m.speaker for m in prompt.messages)}): {' '.join(str(error).split())[:200]}"
            ) from error
        return self._loaded.encode([text + end], special=False)[0].ids
