"""How many replies had no answer and why, with examples."""

from collections import Counter
from collections.abc import Sequence

from tiltmeter.core.reply_counts import OUTCOMES_IN_WORDS
from tiltmeter.core.results import Result
from tiltmeter.core.rules import ReplyScores
from tiltmeter.core.text import shortened, visible
from tiltmeter.report.document import BOTH, Lines, Section

SHOWN = 3
"""How many different replies of each kind are shown."""
LONGEST = 160
EXAMPLES: Sequence[str] = ("unread", "cut")
"""The outcomes of which examples are shown, so that readers can judge whether the parser was at fault."""


def reply_sentence(result: Result, *, examples: bool) -> str:
    """A sentence on the replies without an answer; "" where all have one.

    With `examples`, it says that examples follow.
    """
    replies = result.card.replies
    sentence = replies.sentence if replies else ""
    if replies is None or not examples or not any(getattr(replies, o) for o in EXAMPLES):
        return sentence
    for outcome in EXAMPLES:
        one, several = OUTCOMES_IN_WORDS[outcome]
        for words in (several, one):
            if words in sentence:
                return sentence.replace(words, f"{words} (examples below)", 1)
    return sentence


def example_sections(result: Result, replies: ReplyScores | None) -> list[Section]:
    """Examples of replies that were not understood or were cut off, most frequent first; [] without any."""
    lines: list[str] = []
    for outcome in EXAMPLES if replies is not None else ():
        names = getattr(replies, outcome)
        texts = Counter(
            " ".join(record.said.split())
            for record in result.records
            if any(record.scores.get(name) == 1 for name in names)
        )
        for text, times in texts.most_common(SHOWN):
            words = OUTCOMES_IN_WORDS[outcome][0].removeprefix("was ")
            again = f" ({times:,} times)" if times > 1 else ""
            lines.append(f"{words}: “{visible(shortened(text, LONGEST))}”{again}")
    return (
        [Section("unanswered", "Replies without an answer", [Lines(lines, on=BOTH)])]
        if lines
        else []
    )
