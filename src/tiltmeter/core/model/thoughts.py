"""Separates what a model thought from what it answered; the only place that knows how thoughts are marked.

Models mark thoughts with tags in the text, where their server or tokenizer does not remove them. Back-ends
and readers of stored replies call `with_thought_apart` once, so that nothing else ever sees a thought in an
answer.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from tiltmeter.core.errors import BadInput
from tiltmeter.core.model.conversations import Finish, Reply

TAGS: tuple[tuple[str, str], ...] = (
    *(
        (f"<{name}>", f"</{name}>")
        for name in ("think", "thinking", "thought", "thoughts", "reasoning", "seed:think")
    ),
    ("[THINK]", "[/THINK]"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("\u25c1think\u25b7", "\u25c1/think\u25b7"),
    ("<|channel>thought", "<channel|>"),
    ("<unused94>thought", "<unused95>"),
)  # fmt: skip
"""Beginnings and ends of thoughts, as models write them: Qwen, DeepSeek and others; Seed-OSS; Magistral;
Sky-T1; Command A; Kimi; Gemma."""
_CHANNEL = re.compile(
    r"(?:<\|start\|>assistant)?<\|channel\|>(?P<channel>[a-z]+)[^<]*<\|message\|>"
    r"(?P<text>.*?)(?P<end><\|(?:end|return|call)\|>|(?=<\|start\|>|<\|channel\|>)|$)",
    re.DOTALL,
)
"""A message of gpt-oss, which thinks in the channel "analysis" and answers in "final"."""
_BARE_CHANNELS = re.compile(
    r"\s*analysis(?P<thought>.*?)(?:assistant\s*final(?P<answer>.*))?", re.DOTALL
)
"""The same without its control tokens, as some programs decode it."""
_BARE_END = "assistantfinal"
CHANNELS = (
    "<|channel|>analysis<|message|>",
    "<|end|><|start|>assistant<|channel|>final<|message|>",
)
"""How gpt-oss writes what comes before a thought, and what comes between it and the answer."""
CHANNEL, FINAL = "<|channel|>", "<|channel|>final<|message|>"
_SPOKEN = dict.fromkeys((f"{CHANNEL}analysis", f"{CHANNEL}commentary"), FINAL)
"""Channels whose messages are no answer, and where that begins."""


@dataclass(frozen=True, slots=True)
class Parted:
    """A text that a model wrote, in its parts."""

    answer: str
    thought: str = ""
    is_open: bool = False
    """Whether the thought has no end, so that the answer was still to come."""


def tags_given(text: str) -> tuple[str, ...]:
    """The beginning and the end of a thought, from "OPEN,CLOSE"; () for "".

    Raises:
        BadInput: There are not two different texts with a comma between them.

    >>> tags_given("<plan>,</plan>"), tags_given("")
    (('<plan>', '</plan>'), ())
    """
    tags = tuple(map(str.strip, text.split(","))) if text else ()
    if tags and (len(tags) != 2 or not all(tags) or tags[0] == tags[1]):  # noqa: PLR2004
        reason = f"{text!r} is not the beginning and the end of a thought"
        raise BadInput(reason, "write both with a comma between: --thinking-tags '<plan>,</plan>'")
    return tags


def parted(text: str, tags: Sequence[str] = (), *, begun: bool = False) -> Parted:
    r"""The answer and the thought in a text; several thoughts are joined by line breaks.

    An end without a beginning ends a thought that began with the text: chat templates may write the
    beginning. A text without thoughts is returned as it is.

    Args:
        text: What the model wrote.
        tags: A further beginning and end of a thought; () for none.
        begun: Whether the text is known to begin within a thought.

    >>> parted("<think>Who knows?</think>\n\nBob")
    Parted(answer='Bob', thought='Who knows?', is_open=False)
    >>> parted("Who knows?</think>Bob").answer, parted("<think>Bob or Ann").is_open
    ('Bob', True)
    >>> parted("Bob"), parted("Bob or Ann", begun=True)
    (Parted(answer='Bob', thought='', is_open=False), Parted(answer='', thought='Bob or Ann', is_open=True))
    """
    channels = _of_channels(text)
    if channels is not None:
        return channels
    answer: list[str] = []
    thoughts: list[str] = []
    at, inside, end_tag = 0, begun, ""
    for match in _any_tag(tuple(tags)).finditer(text):
        tag, between = match[0].lower(), text[at : match.start()]
        ends = _ends(tuple(tags))
        if inside and (tag == end_tag or (not end_tag and tag in ends.values())):
            thoughts.append(between)
            inside, end_tag = False, ""
        elif not inside and tag in ends:
            answer.append(between)
            inside, end_tag = True, ends[tag]
        elif not inside:  # an end without a beginning
            thoughts += [*filter(str.strip, answer), between]
            answer = []
        elif not end_tag and tag in ends and not between.strip():
            end_tag = ends[tag]  # a beginning that repeats the template's
        else:
            continue
        at = match.end()
    rest = text[at:]
    (thoughts if inside else answer).append(rest)
    if not thoughts:
        return Parted(text)
    thought = "\n".join(filter(None, map(str.strip, thoughts)))
    return Parted("".join(answer).strip(), thought, inside)


def _of_channels(text: str) -> Parted | None:
    """The parts of a text in channels; None where it has none."""
    messages = [*_CHANNEL.finditer(text)]
    if messages:
        final = [m["text"].strip() for m in messages if m["channel"] == "final"]
        thoughts = [m["text"].strip() for m in messages if m["channel"] != "final"]
        return Parted("\n".join(final), "\n".join(filter(None, thoughts)), not final)
    if _BARE_END in text.replace(" ", "") and (bare := _BARE_CHANNELS.fullmatch(text)):
        return Parted(
            (bare["answer"] or "").strip(), bare["thought"].strip(), bare["answer"] is None
        )
    return None


def begins_thought(text: str, tags: Sequence[str] = ()) -> bool:
    """Whether a text, or its first token, begins with a thought.

    >>> begins_thought("<think>Hm."), begins_thought("<th"), begins_thought("yes"), begins_thought("[")
    (True, True, False, False)
    """
    begun = text.strip().lower()
    openings = (*_ends(tuple(tags)), "<|channel|>analysis", "<|start|>assistant<|channel|>analysis")
    return begun not in {"", "["} and any(
        opening.startswith(begun) or begun.startswith(opening) for opening in openings
    )


def ends_thought_only(text: str, tags: Sequence[str] = ()) -> bool:
    """Whether a text has the end of a thought whose beginning the chat template wrote.

    >>> ends_thought_only("Hm.</think>Bob"), ends_thought_only("<think>Hm.</think>Bob")
    (True, False)
    """
    return bool(parted(text, tags).thought) and not begins_thought(text, tags)


def with_thought_apart(reply: Reply, tags: Sequence[str] = (), *, begun: bool = False) -> Reply:
    """The reply with thoughts moved from its text to `thought`; without an end, it ended while thinking.

    Where only the tokens of the whole are known, the thought's are estimated by its share of the characters.

    >>> with_thought_apart(Reply("<think>Hm.</think>Bob", tokens_out=6))
    Reply(text='Bob', finish='stop', tokens_in=0, tokens_out=6, thought='Hm.', thought_tokens=3)
    >>> with_thought_apart(Reply("<think>Hm, Bob", "length")).finish
    'thinking'
    """
    parts = parted(reply.text, tags, begun=begun)
    thought = "\n".join(filter(None, (reply.thought, parts.thought)))
    if not (thought or parts.is_open or parts.answer != reply.text):
        return reply
    tokens = reply.thought_tokens
    if not tokens:
        tokens = round(reply.tokens_out * len(thought) / max(len(thought) + len(parts.answer), 1))
    is_lost = parts.is_open or (not parts.answer.strip() and reply.finish == "length")
    finish: Finish = "thinking" if is_lost else reply.finish
    return replace(reply, text=parts.answer, finish=finish, thought=thought, thought_tokens=tokens)


def opens_thought(text: str, tags: Sequence[str] = ()) -> bool:
    r"""Whether a text ends with the beginning of a thought, as some chat templates do.

    >>> opens_thought("<assistant><think>\n"), opens_thought("<assistant><think></think>")
    (True, False)
    """
    return text.rstrip().lower().endswith((*_ends(tuple(tags)), CHANNELS[0]))


def closes_thought(text: str, tags: Sequence[str] = ()) -> bool:
    """Whether a text ends with the end of a thought, so that an answer follows."""
    return text.rstrip().lower().endswith((*_ends(tuple(tags)).values(), FINAL))


def end_to_come(text: str, tags: Sequence[str] = ()) -> str | None:
    """The end of the thought with which a text begins; "" where it begins with an answer.

    None: the text may still become the beginning of either, as more of it is written.

    >>> end_to_come("<think>Hm"), end_to_come("Bob"), end_to_come(" <th")
    ('</think>', '', None)
    """
    begun = text.lstrip().lower()
    ends = _SPOKEN | _ends(tuple(tags))
    if begun.startswith(FINAL):
        return ""
    longest = sorted((begin for begin in ends if begun.startswith(begin)), key=len)
    if longest:
        return ends[longest[-1]]
    return None if any(begin.startswith(begun) for begin in (*ends, FINAL)) else ""


def has_end(text: str, end: str, tags: Sequence[str] = ()) -> bool:
    """Whether the end of a thought is in a text; `end` "" is any, for thoughts whose beginning is not known.

    >>> has_end("so Bob.</think>", ""), has_end("so Bob.</think>", "[/THINK]")
    (True, False)
    """
    known = (end.lower(),) if end else (*_ends(tuple(tags)).values(), FINAL)
    return any(one in text.lower() for one in known)


def tags_in(text: str) -> tuple[str, str] | None:
    """Which beginning and end of thoughts a text mentions, such as a chat template; None for neither.

    >>> tags_in("{{ content.split('</think>')[-1] }}"), tags_in("{{ content }}")
    (('<think>', '</think>'), None)
    """
    if CHANNEL in text:
        return CHANNELS
    return next((pair for pair in TAGS if any(tag in text for tag in pair)), None)


def is_tag_piece(token: str, among: Sequence[str], tags: Sequence[str] = ()) -> bool:
    """Whether a special token is, alone or with others, the beginning or the end of a thought.

    >>> is_tag_piece("[THINK]", ["[THINK]"]), is_tag_piece("<|end|>", ["<|end|>"])
    (True, False)
    """
    known = _ends(tuple(tags))
    texts = (*known, *known.values(), *(CHANNELS if CHANNEL in among else ()))
    return bool(token) and any(token.lower() in text.lower() for text in texts)


@lru_cache(maxsize=16)
def tag_bytes(tags: tuple[str, ...] = ()) -> int:
    """The length in bytes of the longest beginning or end of a thought."""
    known = _SPOKEN | _ends(tags)
    return max(len(tag.encode()) for tag in (*known, *known.values()))


def stored_text(text: str, finish: Finish = "stop", tags: Sequence[str] = ()) -> Reply:
    r"""A reply from the text that another program stored of it.

    >>> stored_text("</think>\n\nThe grandfather").text
    'The grandfather'
    """
    return with_thought_apart(Reply(text, finish), tags)


@lru_cache(maxsize=16)
def _ends(tags: tuple[str, ...]) -> dict[str, str]:
    """The end of each beginning, in lower case."""
    pairs = [*TAGS, *([tags] if tags else [])]
    return {begin.lower(): end.lower() for begin, end in pairs}


@lru_cache(maxsize=16)
def _any_tag(tags: tuple[str, ...]) -> re.Pattern[str]:
    ends = _ends(tags)
    longest = sorted({*ends, *ends.values()}, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest)), re.IGNORECASE)
