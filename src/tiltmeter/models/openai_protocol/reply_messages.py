"""Reads the replies of OpenAI-compatible servers: the answer, the thought before it, and what they took.

Servers return a thought in a field of its own, as a part of the content, between tags in the text, or not at
all. Here they become one kind of reply.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from tiltmeter.core.model.conversations import Finish, Reply, Writing, stopped
from tiltmeter.core.model.thoughts import ends_thought_only, parted, with_thought_apart
from tiltmeter.core.text import counted
from tiltmeter.models.openai_protocol.server_client import TryAgain

FINISHES: Mapping[str, Finish] = {
    "stop": "stop",
    "eos_token": "stop",
    "stop_sequence": "stop",
    "length": "length",
    "max_tokens": "length",
    "content_filter": "content_filter",
}
"""Why a reply ended, by the names that servers use."""
THOUGHT_FIELDS = ("reasoning_content", "reasoning", "reasoning_details", "thinking_blocks")
"""Fields of a message with a thought. Some servers give the same one in several; the first counts."""
THOUGHT_PARTS = frozenset({
    "thinking", "reasoning", "reasoning.text", "reasoning.summary", "reasoning_text",
})  # fmt: skip
"""Types of the parts of a message that are a thought."""
ANSWER_PARTS = frozenset({"text", "output_text", "refusal"})
"""Types of the parts of a message that are the answer."""
TEXTS = ("text", "thinking", "reasoning", "summary", "content", "refusal")
"""Where a part has its text, which may again be a list of parts."""
DEEPEST = 8
"""How deep parts may lie within parts."""


def reply_in(answer: Any, request: Writing, *, begun: bool = False) -> Reply:
    """The reply in an answer.

    Args:
        answer: What the server returned.
        request: What it was asked.
        begun: Whether the model's chat template is known to begin the thought, so that a reply that was cut
            off and has no tag is one.

    Raises:
        TryAgain: The answer has no reply.
        ValueError: The answer is not what was requested.
    """
    choice = choice_in(answer)
    reason = choice.get("finish_reason")
    if not isinstance(reason, str) or reason not in FINISHES:
        raise ValueError(f"the reply ended for an unknown reason ({str(reason)[:40]!r})")
    finish = FINISHES[reason]
    message = _message(choice, request)
    text, thought = _text(choice if not request.prompt.chat else message), _thought(message)
    tokens_in, tokens_out, thought_tokens = _tokens(answer)
    # Where the content is null, the model ended its reply before it, unless there is no content at all.
    if text is None and not (
        thought or thought_tokens or finish == "content_filter" or "content" in message
    ):
        raise ValueError("the reply has no text")
    text = _whole(text or "")
    if parted(text, request.thinking_tags).thought == thought.strip():
        thought = ""  # given twice: in the text, and beside it
    reply = with_thought_apart(
        Reply(text, finish, tokens_in, tokens_out, _whole(thought), thought_tokens),
        request.thinking_tags,
        begun=begun and finish == "length",
    )
    if finish == "length" and request.prompt.chat and not reply.text:
        # The server may keep a thought to itself: then all that it says is that nothing else was written.
        return Reply(
            "", "thinking", tokens_in, tokens_out, reply.thought, reply.thought_tokens or tokens_out
        )
    if reply.finish == "thinking":
        return reply
    return stopped(reply, request.stop)


def template_began(answer: Any, request: Writing) -> bool:
    """Whether the reply has the end of a thought that the model's chat template began."""
    text = _text(_message(choice_in(answer), request))
    return text is not None and ends_thought_only(text, request.thinking_tags)


def choice_in(answer: Any) -> Mapping[str, Any]:
    """The only choice of an answer.

    Raises:
        TryAgain: It has none.
        ValueError: It has several, or is no answer.
    """
    choices = answer.get("choices") if isinstance(answer, dict) else None
    if choices == []:
        raise TryAgain("the answer has no reply (choices is empty)")
    if not isinstance(choices, list) or not isinstance(choices[0], dict):
        raise ValueError("the answer has no reply (choices is missing)")  # noqa: TRY004
    if len(choices) > 1:
        raise ValueError(
            f"the answer has {counted(len(choices), 'replies')} where one was asked for"
        )
    return choices[0]


def _message(choice: Mapping[str, Any], request: Writing) -> Mapping[str, Any]:
    message = choice.get("message") if request.prompt.chat else None
    return message if isinstance(message, dict) else {}


def _text(message: Mapping[str, Any]) -> str | None:
    """The answer in a message or in a choice of a plain text; None where it has none."""
    content = message.get("content", message.get("text"))
    if content is None:
        content = message.get("refusal")
    if isinstance(content, list):
        parts = [(kind, text) for kind, text in _parts(content) if kind in ANSWER_PARTS]
        if not parts and not any(kind in THOUGHT_PARTS for kind, _ in _parts(content)):
            raise ValueError("the text of the reply is not a string")
        return "".join(text for _, text in parts)
    if content is not None and not isinstance(content, str):
        raise ValueError("the text of the reply is not a string")
    return content


def _thought(message: Mapping[str, Any]) -> str:
    """The thought that a message has in a field of its own or as parts of its content; "" for none."""
    for name in THOUGHT_FIELDS:
        value = message.get(name)
        text = value if isinstance(value, str) else "".join(t for _, t in _parts(value))
        if text.strip():
            return text
    content = message.get("content")
    return "\n".join(text for kind, text in _parts(content) if kind in THOUGHT_PARTS)


def _parts(content: Any, depth: int = 0) -> Iterator[tuple[str, str]]:
    """(type, text) of each part of a message that has a text."""
    for part in content if isinstance(content, list) and depth < DEEPEST else ():
        if not isinstance(part, dict):
            continue
        value = next((part[name] for name in TEXTS if part.get(name)), "")
        inner = "".join(text for _, text in _parts(value, depth + 1))
        yield str(part.get("type")), value if isinstance(value, str) else inner


def _whole(text: str) -> str:
    """The text with replacement characters for halves of characters, as when a reply was cut within one."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _tokens(answer: Mapping[str, Any]) -> tuple[int, int, int]:
    """The tokens of the prompt, of the reply and of its thought; 0 where the server does not count them."""
    usage = answer.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    details = usage.get("completion_tokens_details")
    details = details if isinstance(details, dict) else {}
    prompt, reply, total = (
        _count(usage.get(f"{name}_tokens")) for name in ("prompt", "completion", "total")
    )
    thought = _count(details.get("reasoning_tokens"))
    # Some servers count thoughts in the total alone.
    return prompt, max(reply, total - prompt if reply else 0, thought), thought


def _count(value: Any) -> int:
    # By type, as true and false are integers too.
    return value if type(value) is int and value > 0 else 0
