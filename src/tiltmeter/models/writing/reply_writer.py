"""What ways of writing share: prompts as tokens, the room for a reply, and where a reply ends."""

from collections.abc import Callable, Sequence

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.conversations import BeamWriting, Prompt, Writing
from tiltmeter.models.opening import hf
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.speed import machine_limits
from tiltmeter.models.writing.next_tokens import NextTokens


class ReplyWriter:
    """Writes token by token behind prompts."""

    def __init__(
        self,
        name: str,
        loaded: Loaded,
        limit: int | None,
        texts: Callable[[int], NextTokens],
        start: Sequence[int] = (),
    ) -> None:
        """`texts` gives what reads texts of so many tokens; `start` is what a decoder's text begins with."""
        self._name = name
        self._loaded = loaded
        self._limit = limit
        self._texts = texts
        self._start = start
        self.reader = PromptReader(name, loaded, closed=bool(start))
        self.tokens = loaded.batch_tokens
        if loaded.model is not None:  # a server's model writes there
            self.tokens = machine_limits.tokens_held(loaded.model, self.tokens)
        self._ends = _end_tokens(loaded)

    def _prompts(
        self, requests: Sequence[Writing | BeamWriting]
    ) -> tuple[list[tuple[int, ...]], list[int]]:
        """The tokens of each prompt, and of the longest row with its reply.

        Raises:
            CannotAnswer: A row is longer than the model reads.
        """
        prompts = self.reader.tokens([request.prompt for request in requests])
        both = zip(prompts, requests, strict=True)
        if self._start:  # the encoder reads the prompt, the decoder the reply
            lengths = [max(len(p), len(self._start) + r.max_tokens) for p, r in both]
        else:
            lengths = [len(p) + r.max_tokens for p, r in both]
        hf.within(self._limit, lengths, self._name)
        return prompts, lengths

    def _decoded(self, tokens: Sequence[int]) -> str:
        return str(self._loaded.tokenizer.decode(list(tokens), skip_special_tokens=True))


def before_stop(text: str, stop: Sequence[str]) -> str | None:
    """What comes before the first stop text; None where there is none."""
    places = [at for stop_text in stop if stop_text and (at := text.find(stop_text)) >= 0]
    return text[: min(places)] if places else None


def _end_tokens(loaded: Loaded) -> frozenset[int]:
    """The tokens after which a reply is over."""
    configured = getattr(getattr(loaded.model, "generation_config", None), "eos_token_id", None)
    several = configured if isinstance(configured, list | tuple) else [configured]
    tokens = (*several, loaded.tokenizer.eos_token_id)
    return frozenset(int(token) for token in tokens if token is not None)


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
        # The template's own control tokens count, those that somebody's text spells do not: a stand-in is in
        # their place while the template is filled.
        spelled: dict[str, str] = {}

        def held(text: str) -> str:
            return self._loaded.held_control_tokens(text, spelled)

        turns = [{"role": m.speaker, "content": held(m.text)} for m in prompt.messages]
        try:
            write = self._loaded.tokenizer.apply_chat_template
            text = write(turns, tokenize=False, add_generation_prompt=True)
        except (TemplateError, TypeError, ValueError, IndexError) as error:
            raise CannotAnswer(
                f"{self._name}: its chat template does not allow this conversation "
                f"({', '.join(m.speaker for m in prompt.messages)}): {' '.join(str(error).split())[:200]}"
            ) from error
        return self._loaded.encode_template(text + held(end), spelled)
