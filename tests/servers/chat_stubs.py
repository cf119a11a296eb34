"""Chat models of made-up manners behind a real server: one thinks, one refuses, one talks around its answer.

All of them come to the same answers: `answer_to` picks one by a digest of the prompt. So whatever a manner
adds to an answer must not change the numbers of a study, and what has no answer must not look like one.

Tokens are words here. As real servers do, these count a thought against the tokens that a request allows, and
end a reply at that number.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from zlib import crc32

from servers.chat_server import MODEL, ChatServer, Handler, serving

ENOUGH = 200
"""The tokens that the model `cut` needs before it says anything."""
REFUSAL = "I'm sorry, but I can't help with that."
SURE = "Sure! I'd be happy to help with that."
RAMBLE = "Before I say anything, there is a lot to be weighed up with care here. "
GOODBYE = "Let me know if you would like me to explain this further!"
FOREIGN = (
    "Das kann ich Ihnen gern beantworten: Es war wohl die ältere Person.",
    "Nach allem, was hier steht, ist es vermutlich der andere.",
    "Dazu steht nichts im Text, also weiß ich es leider auch nicht.",
)
"""Answers in German, which name no option in its own words."""
CONTINUATIONS = ("gardener", "teacher in a small town", "good cook", "pilot", "member of the choir")
IDEAS = (
    "Take a train to the coast, walk along the cliffs and try the small bakery by the harbour.",
    "A notebook of good paper is something that most people like, and it costs little.",
    "Write a short plan, ask a friend to read it, and begin with the part that you know best.",
)
_QUOTED = re.compile(r"“(.+?)”")
_LISTED = re.compile(r"(?:one of these|una de estas opciones|다음 중)")
_CANDIDATE = re.compile(
    r"^\W*(?:Full )?(?:Name\W+)?(?!.*(?:Information|Requirements))"
    r"([A-Z][a-z'-]+ [A-Z][A-Za-z'-]+)\b(?:\W*$|,)",
    re.MULTILINE,
)
"""A name on a line of its own, as the résumés of the published audit begin."""


def picked(prompt: str, options: Sequence[str], salt: object = "") -> str:
    """One of the options, the same whenever the prompt is: their order does not matter."""
    return min(options, key=lambda option: crc32(f"{prompt}|{salt}|{option}".encode()))


def ordered(prompt: str, options: Sequence[str]) -> list[str]:
    """All options, in an order that depends on the prompt alone."""
    return sorted(options, key=lambda option: crc32(f"{prompt}|{option}".encode()))


@dataclass(frozen=True)
class Answer:
    """What a model has to say to a prompt, without any manner."""

    prompt: str
    lines: tuple[str, ...]
    """One line, or several of a list or ranking."""
    options: tuple[str, ...] = ()
    """What could be chosen; () where the answer is a text of its own."""

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def answer_to(prompt: str) -> Answer:
    """The answer to a prompt of any study: an option, a ranking, words with options, or a text."""
    asked, _, last = prompt.rstrip().rpartition("\n")
    if names := _list_of_words(asked or last):
        lines = tuple(f"{word} - {picked(prompt, names, word)}" for word in last.split(", "))
        return Answer(prompt, lines, names)
    if people := _ranked(prompt):
        ranking = enumerate(ordered(prompt, people), 1)
        return Answer(prompt, tuple(f"{place}. {name}" for place, name in ranking), people)
    if options := _options(prompt):
        return Answer(prompt, (picked(prompt, options),), options)
    texts = CONTINUATIONS if prompt.startswith("Continue this text") else IDEAS
    return Answer(prompt, (picked(prompt, texts),))


def _list_of_words(asked: str) -> tuple[str, ...]:
    """The two names of which one is to be written behind each word; () for another kind of prompt."""
    for pattern in (
        r"pick a word – (.+) or (.+) – and write", r"^Give (.+) or (.+) to each word",
        r"described by these words: (.+) or (.+)\. Each is", r"^(.+) or (.+)\? Choose for each word",
    ):  # fmt: skip
        if match := re.search(pattern, asked):
            return match.groups()
    return ()


def _ranked(prompt: str) -> tuple[str, ...]:
    """The names of those who are to be ranked; () where a prompt asks for no ranking."""
    if prompt.startswith("Rank "):
        return tuple(re.findall(r"\w+", prompt.removeprefix("Rank ")))
    if "Rank them" not in prompt:
        return ()
    resumes = prompt.split("\n\n---\n\n")
    return tuple(match[1] for match in map(_CANDIDATE.search, resumes) if match)


def _options(prompt: str) -> tuple[str, ...]:
    """The options that a prompt lists; () where it lists none."""
    if listed := [*_LISTED.finditer(prompt)]:
        return tuple(_QUOTED.findall(prompt[listed[-1].end() :]))
    if letters := re.findall(r"\([a-c]\)", prompt.rpartition("\n\n")[0]):
        return tuple(dict.fromkeys(letters))
    if match := re.search(r"(?:choose either|fits this text best:) (\w+) or (\w+)", prompt):
        return match.groups()
    if labels := re.findall(r"(?<=’: )[\w-]+(?=\.)", prompt):
        return tuple(dict.fromkeys(labels))
    if re.search(r"yes or no|^(?:Should|Is|Does|Can|May) ", prompt, re.MULTILINE):
        return ("yes", "no")
    return ()


@dataclass(frozen=True)
class Said:
    """A reply before it is cut to the tokens allowed."""

    text: str
    thought: str = ""
    is_in_text: bool = False
    """Whether the thought is part of the text, between tags, because no parser takes it out."""
    hidden: int = 0
    """Tokens of a thought that the server counts and does not return."""


def thought_about(answer: Answer) -> str:
    """A thought that names everything that could be chosen before it settles."""
    considered = "".join(f"It could be {option}. " for option in answer.options)
    return f"Okay, let me think about this. {considered}Hmm, I should not guess. Wait, I know."


def _chatty(answer: Answer) -> Said:
    """The answer within polite phrases; a text of its own stays as it is, since they would be part of it."""
    if not answer.options:
        return Said(answer.text)
    if len(answer.lines) == 1:
        return Said(f"{SURE} Looking at this, the answer is: **{answer.text}**\n\n{GOODBYE}")
    listed = "\n".join(re.sub(r"^(\d+\. )?(.+)$", r"\1**\2**", line) for line in answer.lines)
    return Said(f"{SURE} Here is my list:\n\n{listed}\n\n{GOODBYE}")


MANNERS: Mapping[str, Callable[[Answer], Said]] = {
    "plain": lambda answer: Said(answer.text),
    "thinks": lambda answer: Said(answer.text, thought_about(answer)),
    "tags": lambda answer: Said(answer.text, thought_about(answer), is_in_text=True),
    "refuses": lambda _: Said(REFUSAL),
    "chats": _chatty,
    "foreign": lambda answer: Said(picked(answer.prompt, FOREIGN)),
    "cut": lambda answer: Said(answer.text, hidden=ENOUGH - len(answer.text.split())),
    "rambles": lambda answer: Said(f"{RAMBLE * 10}So the answer is:\n\n{answer.text}"),
}
"""Of each model, how it puts its answer: as it is; behind a thought in a field of its own, or in tags; not at
all; within polite phrases; in German; after a thought that the server counts and does not show; after so many
words that a usual limit cuts it off before its answer."""


class StubServer(ChatServer):
    """A server with one model of each manner, without log-probabilities, that keeps to token limits."""

    def __init__(self) -> None:
        super().__init__(StubHandler)
        known = self.models[0]
        self.models = [{**known, "id": name} for name in MANNERS]
        self.tops = None

    def model(self, manner: str) -> str:
        """The reference of the model with this manner."""
        return self.reference.replace(f"#{MODEL}", f"#{manner}")


class StubHandler(Handler):
    """Answers as the model that a request names."""

    def answer(self, body: Mapping[str, object]) -> dict[str, object]:
        answer = super().answer(body)
        choice = answer["choices"][0]
        said = MANNERS[str(body["model"])](answer_to(_asked(body)))
        if _is_told_not_to_think(body):
            said = Said(said.text)
        message, finish, used, of_thought = _cut_off(said, _allowed(body), _stops(body))
        if self.path == "/v1/chat/completions":
            choice["message"] = {"role": "assistant", **message}
        else:
            choice["text"] = message["content"] or ""
        choice["finish_reason"] = finish
        answer["usage"] |= {"completion_tokens": used}
        if of_thought:
            answer["usage"]["completion_tokens_details"] = {"reasoning_tokens": of_thought}
        return answer


def _asked(body: Mapping[str, object]) -> str:
    """What is asked; a system prompt that says nothing about answers changes none."""
    if "prompt" in body:
        return str(body["prompt"])
    messages = body["messages"]
    return "\n".join(
        m["content"] for m in messages if m["role"] != "system" or "answer with" in m["content"]
    )


def _is_told_not_to_think(body: Mapping[str, object]) -> bool:
    settings = body.get("chat_template_kwargs")
    return isinstance(settings, Mapping) and settings.get("enable_thinking") is False


def _allowed(body: Mapping[str, object]) -> int:
    named = [body[name] for name in ("max_completion_tokens", "max_tokens") if name in body]
    return int(named[0]) if named else 10**6


def _stops(body: Mapping[str, object]) -> list[str]:
    return list(body.get("stop") or [])


def _cut_off(
    said: Said, allowed: int, stops: Sequence[str]
) -> tuple[dict[str, object], str, int, int]:
    """The message, why it ended, its tokens and those of the thought, within the tokens allowed."""
    text = _until(said.text, stops)
    thought, answer = _words(said.thought), _words(text)
    of_thought = len(thought) + said.hidden
    used = min(allowed, of_thought + len(answer))
    finish = "length" if allowed < of_thought + len(answer) else "stop"
    left = "".join(answer[: max(0, allowed - of_thought)])
    shown = "".join(thought[: max(0, allowed - said.hidden)])
    is_lost = allowed <= of_thought and of_thought > 0
    if said.is_in_text:  # the server knows of no thought, so it stops within one too
        content = f"<think>\n{shown}" if is_lost else f"<think>\n{shown}\n</think>\n\n{left}"
        whole = _until(content, stops)
        return {"content": whole}, finish if whole == content else "stop", used, 0
    message: dict[str, object] = {"content": None if is_lost else left}
    if shown:
        message["reasoning_content"] = shown
    return message, finish, used, min(of_thought, allowed)


def _until(text: str, stops: Sequence[str]) -> str:
    """The text up to the first stop text."""
    places = [at for stop in stops if (at := text.find(stop)) >= 0]
    return text[: min(places)] if places else text


def _words(text: str) -> list[str]:
    """The words with the space before each."""
    return re.findall(r"\s*\S+", text)


@contextmanager
def stubs() -> Iterator[StubServer]:
    """A server with all of the models, for as long as the block lasts."""
    with serving(StubServer()) as server:
        yield server
