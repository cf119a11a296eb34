"""What the model said: examples of its replies by what became of them, each with how it was read."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from tiltmeter.core.records import Record
from tiltmeter.core.reply_counts import ReplyCounts
from tiltmeter.core.results import Result
from tiltmeter.core.rules import ReplyScores
from tiltmeter.core.text import counted, visible
from tiltmeter.report.document import (
    PAGE,
    TERMINAL,
    Block,
    Item,
    Items,
    Lines,
    Section,
    Sentence,
    Text,
)
from tiltmeter.report.text import label

TITLES: Mapping[str, tuple[str, str]] = {
    "unread": ("Not understood", "not understood"),
    "cut": ("Cut off before an answer", "cut off before an answer"),
    "thinking": ("Cut off while thinking", "cut off while thinking"),
    "empty": ("Empty", "empty"),
    "refused": ("Refusals", "refusal"),
    "answered": ("Answered", "answer"),
}
"""Outcomes of replies with the headings of their examples, in this order, and words for one such reply."""
EACH = 3
"""How many different replies with each outcome are shown."""
IN_TERMINAL = 3
"""How many examples the terminal shows, if any reply was not read."""
LONGEST = 100
"""How many characters of a reply the terminal shows."""


@dataclass(frozen=True, slots=True)
class WrittenReply:
    """One reply in a record, and how it was read."""

    outcome: str
    """What became of it, one of `core.rules.OUTCOMES`."""
    text: str
    read: str
    """How it was read in words: "read as: The grandson", "names no option"; "" for what its outcome says."""
    asked: str
    """The text that it answers, without the instructions of the prompt."""
    thought: str
    """What the model thought before; "" where it did not think."""
    record: Record


@dataclass(slots=True)
class _Found:
    """The different replies with one outcome: how often each occurs, and where first."""

    times: Counter[str] = field(default_factory=Counter)
    first: dict[str, WrittenReply] = field(default_factory=dict)

    def add(self, reply: WrittenReply) -> None:
        # Answers differ more than they repeat: one of each reading shows how they were read.
        text = " ".join(reply.text.split())
        key = reply.read if reply.outcome == "answered" and len(self.first) >= EACH else text
        self.times[key] += 1
        self.first.setdefault(key, reply)

    def chosen(self) -> list[tuple[WrittenReply, int]]:
        """The most frequent ones with how often each occurs, of different readings where there are some."""
        ordered = [(self.first[key], times) for key, times in self.times.most_common()]
        readings: Counter[str] = Counter()
        ranks = []
        for place, (reply, _) in enumerate(ordered):
            ranks.append((readings[reply.read], place))
            readings[reply.read] += 1
        return [ordered[place] for _, place in sorted(ranks)[:EACH]]


def replies_in(records: Iterable[Record], scores: ReplyScores) -> Iterator[WrittenReply]:
    """All replies that these records hold, with what became of each."""
    for record in records:
        for outcome, names in scores.by_outcome.items():
            for name in names:
                if record.scores.get(name) == 1:
                    yield _read(record, scores, outcome, name)


def _read(record: Record, scores: ReplyScores, outcome: str, score: str) -> WrittenReply:
    side = scores.side_of(score)
    text = record.replies.get(side, record.said) if side else record.said
    asked = (
        record.texts.get(scores.sides[side], "") if side else next(iter(record.texts.values()), "")
    )
    at = int(record.scores.get(f"{side}_said" if side else "said", -1))
    options = record.texts.get("options", "").split("\n")
    read = scores.words.get(score, "")
    if outcome == "answered" and 0 <= at < len(options):
        read = f"read as: {options[at]}"
    thought = record.thoughts.get(side or "reply", "")
    return WrittenReply(outcome, text, read, asked, thought, record)


def reply_sections(
    result: Result, scores: ReplyScores | None, *, show_thoughts: bool = False
) -> list[Section]:
    """Examples of what the model wrote: of each outcome on the page, three lines in the terminal.

    The terminal has lines only where some reply was not read. With `show_thoughts`, the page has what the
    model thought before each. [] where nothing was written.
    """
    counts = result.card.replies
    if scores is None or counts is None:
        return []
    found: dict[str, _Found] = {}
    for reply in replies_in(result.records, scores):
        found.setdefault(reply.outcome, _Found()).add(reply)
    chosen = {outcome: found[outcome].chosen() for outcome in TITLES if outcome in found}
    if not chosen:
        return []
    blocks: list[Block] = [
        Text(
            f"Up to {EACH} different replies of each kind, the most frequent first, with how rule "
            f"{visible(result.card.rule)} read each.",
            on=PAGE,
        )
    ]
    for outcome, examples in chosen.items():
        title = f"{TITLES[outcome][0]}: {getattr(counts, outcome):,} of {counts.replies:,}"
        items = [_item(reply, times, result, thoughts=show_thoughts) for reply, times in examples]
        blocks.append(Items(title, items, "replies"))
    if lines := _lines(chosen):
        blocks.append(Lines(lines, on=TERMINAL))
    return [Section("replies", "What the model said", blocks)]


def _item(reply: WrittenReply, times: int, result: Result, *, thoughts: bool) -> Item:
    again = counted(times, "times") if times > 1 and reply.outcome != "answered" else ""
    about = [label(axis, value, result.card.labels) for axis, value in reply.record.groups.items()]
    value = ", ".join(filter(None, (reply.read or TITLES[reply.outcome][1], again)))
    texts = [("asked about", reply.asked), ("reply", reply.text.strip() or "(nothing)")]
    sentences = [Sentence(called, [(text, False)]) for called, text in texts if text]
    if thoughts and reply.thought:
        sentences.append(Sentence("thought", [(reply.thought, False)], folded=True))
    return Item(reply.record.item, ", ".join(dict.fromkeys(about)), value, sentences)


def _lines(chosen: Mapping[str, list[tuple[WrittenReply, int]]]) -> list[str]:
    """Lines for the terminal on replies that were not read, of each outcome before a second of any."""
    lacking = [examples for outcome, examples in chosen.items() if outcome != "answered"]
    by_turn = [each[at] for at in range(EACH) for each in lacking if at < len(each)]
    return [_line(*example) for example in by_turn[:IN_TERMINAL]]


def _line(reply: WrittenReply, times: int) -> str:
    read = f" ({reply.read})" if reply.read else ""
    text = " ".join(reply.text.split())
    text = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    again = f", {counted(times, 'times')}" if times > 1 else ""
    quoted = f"“{visible(text)}”" if text else "no text"
    return f"{TITLES[reply.outcome][1]}{read}: {quoted} ({visible(reply.record.item)}{again})"


def reply_sentences(counts: ReplyCounts, rule: str) -> str:
    """How many replies were read, what became of the others, and how many were thought about first."""
    return " ".join(filter(None, (counts.sentence(visible(rule)), counts.thinking_sentence)))
