"""What all ways of writing replies share: tokens of prompts, room for a reply, and where a reply ends."""

from collections.abc import Callable, Sequence

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.conversations import BeamWriting, Prompt, Writing
from tiltmeter.models.opening import hf
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.speed import machine_limits
from tiltmeter.models.writing.next_tokens import NextTokens


class ReplyWriter:
    """Continues prompts token by token."""

    def __init__(
        self,
        name: str,
        loaded: Loaded,
        limit: int | None,
        texts: Callable[[int], NextTokens],
        start: Sequence[int] = (),
    ) -> None:
        """Prepare to write.

        Args:
            name: The model's name, for messages.
            loaded: The model, or only its tokenizer for a model behind a server.
            limit: The most tokens of a text.
            texts: Returns the reader for texts of a given number of tokens.
            start: The tokens with which a decoder's text begins; () for models without a decoder.
        """
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
        """The tokens of each prompt, and how many tokens the model has to read with the longest reply.

        Raises:
            CannotAnswer: That is more than the model's limit.
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
    """The text before the first stop text; None where there is no stop text in it."""
    places = [at for stop_text in stop if stop_text and (at := text.find(stop_text)) >= 0]
    return text[: min(places)] if places else None


def _end_tokens(loaded: Loaded) -> frozenset[int]:
    """The tokens that end a reply."""
    configured = getattr(getattr(loaded.model, "generation_config", None), "eos_token_id", None)
    several = configured if isinstance(configured, list | tuple) else [configured]
    tokens = (*several, loaded.tokenizer.eos_token_id)
    return frozenset(int(token) for token in tokens if token is not None)


class PromptReader:
    """Turns prompts into tokens, conversations with the model's chat template and plain text as it is."""

    def __init__(self, name: str, loaded: Loaded, *, closed: bool = False) -> None:
        """`closed` keeps the special tokens that the tokenizer puts after a text, which an encoder reads."""
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
            CannotAnswer: The template does not allow a conversation, or there is no template.
        """
        return self.followed([(prompt, "") for prompt in prompts])

    def followed(self, texts: Sequence[tuple[Prompt, str]]) -> list[tuple[int, ...]]:
        """The tokens of each prompt with a text after it."""
        return [
            self._plain(p.plain + end) if not p.chat else self._turns(p, end) for p, end in texts
        ]

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

    def _turns(self, prompt: Prompt, end: str) -> tuple[int, ...]:
        from jinja2 import TemplateError

        if not self.chats:
            raise CannotAnswer(
                f"{self._name} has no chat template, so it cannot be given a conversation; give it plain "
                "text (--set wrap=text)"
            )
        # The template's own control tokens are meant, while those spelled in somebody's text are not: the
        # latter are replaced by stand-ins while the template is filled in.
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
