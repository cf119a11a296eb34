"""What another reading of the same replies changes: how many are read as what, and examples."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tiltmeter.core.rules import OUTCOMES
from tiltmeter.core.text import verb_for, visible
from tiltmeter.report.document import BOTH, Column, Document, Lines, Section, Table, Text
from tiltmeter.report.documents.reply_examples import TITLES, WrittenReply, replies_in
from tiltmeter.run.files.reread_runs import Reread

EXAMPLES = 3
LONGEST = 100
"""How many characters of a reply an example shows."""


@dataclass(frozen=True, slots=True)
class ReadTwice:
    """A reply as it was read and as it is read now."""

    before: WrittenReply
    after: WrittenReply

    @property
    def is_same(self) -> bool:
        """Whether both readings take the same from it."""
        same_outcome = self.before.outcome == self.after.outcome
        return same_outcome and (
            self.before.outcome != "answered"
            or self.before.read.casefold() == self.after.read.casefold()
        )


def replies_read_twice(again: Reread) -> list[ReadTwice]:
    """Every reply that both readings have a record of."""
    was, now = (
        {reply.record.item: reply for reply in replies_in(result.records, scores)}
        for result, scores in zip((again.before, again.result), again.scores, strict=True)
    )
    return [ReadTwice(was[item], reply) for item, reply in now.items() if item in was]


def reread_document(again: Reread, *, show_text: bool = True) -> Document:
    """How the replies were read before and are read now."""
    replies = replies_read_twice(again)
    changed = [reply for reply in replies if not reply.is_same]
    rules = again.before.card.rule, again.result.card.rule
    blocks = [_table(replies, *rules)] if changed else []
    section = Section("readings", "How the replies are read", blocks)
    sections = [section] if changed else []
    if changed and show_text:
        sections.append(Section("changed", "", [Lines([*map(_line, _examples(changed))], on=BOTH)]))
    return Document(
        "Replies read again", "", [Text(_headline(replies, changed, *rules), "headline")], sections
    )


def _headline(
    replies: Sequence[ReadTwice], changed: Sequence[ReadTwice], before: str, after: str
) -> str:
    count = f"{len(replies):,} {'reply' if len(replies) == 1 else 'replies'}"
    both = (
        f"rule {visible(after)}"
        if before == after
        else f"rules {visible(before)} and {visible(after)}"
    )
    if not changed:
        return f"Of {count}, none is read differently by {both}."
    gained = sum(r.before.outcome != "answered" and r.after.outcome == "answered" for r in changed)
    lost = sum(r.before.outcome == "answered" and r.after.outcome != "answered" for r in changed)
    other = sum(r.before.outcome == r.after.outcome == "answered" for r in changed)
    changes = (
        (gained, "now with an answer"), (lost, "now without one"), (other, "with another answer"),
        (len(changed) - gained - lost - other, "without one for another reason"),
    )  # fmt: skip
    words = ", ".join(f"{number:,} {what}" for number, what in changes if number)
    are = verb_for(len(changed), "are")
    return f"Of {count}, {len(changed):,} {are} read differently by {both}: {words}."


def _table(replies: Sequence[ReadTwice], before: str, after: str) -> Table:
    """Outcomes before as rows, outcomes now as columns."""
    counts = Counter((reply.before.outcome, reply.after.outcome) for reply in replies)
    rows = [outcome for outcome in OUTCOMES if any(was == outcome for was, _ in counts)]
    columns = [outcome for outcome in OUTCOMES if any(now == outcome for _, now in counts)]
    names = [TITLES[outcome][0].lower() for outcome in rows]
    first = "before" if before == after else before
    return Table(
        "",
        [
            Column(first, names, number=False),
            *(
                Column(
                    TITLES[now][0].lower(), [counts[was, now] for was in rows], "{:,}".format,
                    group="now" if before == after else after,
                )
                for now in columns
            ),
        ],
        name="readings",
    )  # fmt: skip


def _examples(changed: Sequence[ReadTwice]) -> list[ReadTwice]:
    """A few, of different changes where there are some."""
    first: dict[tuple[str, str], ReadTwice] = {}
    for reply in changed:
        first.setdefault((reply.before.outcome, reply.after.outcome), reply)
    kinds = [*first.values()]
    return [*kinds, *(reply for reply in changed if reply not in kinds)][:EXAMPLES]


def _line(reply: ReadTwice) -> str:
    text = " ".join(reply.after.text.split())
    text = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    was, now = (each.read or TITLES[each.outcome][1] for each in (reply.before, reply.after))
    return f"“{visible(text)}” ({visible(reply.after.record.item)}): {visible(was)}; now {visible(now)}"
