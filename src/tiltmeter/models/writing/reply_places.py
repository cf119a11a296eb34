"""Which replies are written at the same time: one that ends gives its place to the next.

How long a reply becomes is not known before it ends. So room is planned for as many tokens as the replies
before had on average. If that was too few, the replies that began last give up their places, and are read
again once there is room.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tiltmeter.core.model.conversations import PLANNED
from tiltmeter.models.writing.prompt_reader import ReadPrompt
from tiltmeter.models.writing.thought_progress import ThoughtProgress

FEWEST = 8
"""New replies begin when they are at least the replies under way divided by this, since those that begin
together attend together."""

MORE = 64
"""So many further tokens are planned at least for a reply that is under way."""


@dataclass(slots=True)
class ReplyBranch:
    """Replies that have been the same so far."""

    prompt: ReadPrompt
    written: tuple[int, ...]
    asked: list[int]
    """The indices of the requests for these replies."""
    progress: ThoughtProgress

    @property
    def whole(self) -> tuple[int, ...]:
        """The tokens of the prompt and of what is written."""
        return (*self.prompt.ids, *self.written)


@dataclass(frozen=True, slots=True)
class Room:
    """What a reply may need."""

    longest: int
    """The most tokens that it may have, with its thought."""
    is_drawn: bool
    """Whether other replies to the prompt differ from it, so that they share no tokens."""


@dataclass(slots=True)
class ReplyPlaces:
    """The places for the replies of one stream of prompts."""

    waiting: list[ReplyBranch]
    """Replies that have no place yet, in the order in which they get one."""
    rooms: Sequence[Room]
    """What the reply to each request may need, in the order of the requests."""
    most: int
    """How many tokens of prompts and replies fit into memory together."""
    shared: int
    """How many tokens all prompts begin with, which are kept once."""
    joins: bool
    """Whether the model can begin to read texts while it continues others."""
    rereads: bool
    """Whether it can read what it has written; if not, every reply has room to become as long as it may."""
    _ended: list[int] = field(default_factory=list)
    """The lengths of the replies that have ended."""

    def ended(self, branch: ReplyBranch) -> None:
        """Note the length of replies that have ended."""
        self._ended += [len(branch.written)] * len(branch.asked)

    def next_ones(self, under_way: Sequence[ReplyBranch]) -> list[ReplyBranch]:
        """The replies that get a place now, beside those that are under way; [] where there is none."""
        if not self.waiting or (under_way and not self.joins):
            return []
        usual = self._usual(under_way)
        prompts = {branch.prompt for branch in under_way}
        needed = sum(map(self._prompt_tokens, prompts))
        needed += sum(self._planned(branch, usual) for branch in under_way)
        begun: list[ReplyBranch] = []
        for branch in self.waiting:
            tokens = 0 if branch.prompt in prompts else self._prompt_tokens(branch.prompt)
            needed += tokens + self._planned(branch, usual)
            if (under_way or begun) and needed > self.most:
                break
            prompts.add(branch.prompt)
            begun.append(branch)
        if under_way and len(begun) < min(len(self.waiting), len(under_way) / FEWEST):
            return []
        del self.waiting[: len(begun)]
        return begun

    def kept(self, under_way: Sequence[ReplyBranch]) -> int:
        """How many of these can go on; the others have given up their places and wait."""
        count = len(under_way)
        while self.rereads and count > 1 and self._held(under_way[:count]) > self.most:
            count -= -(-count // FEWEST)
        self.waiting[:0] = under_way[count:]
        return count

    def _held(self, branches: Sequence[ReplyBranch]) -> int:
        prompts = {branch.prompt for branch in branches}
        return sum(map(self._prompt_tokens, prompts)) + sum(len(b.written) for b in branches)

    def _prompt_tokens(self, prompt: ReadPrompt) -> int:
        return len(prompt.ids) - self.shared

    def _usual(self, under_way: Sequence[ReplyBranch]) -> int:
        """The tokens that a reply has on average, by those that have ended and those under way."""
        if not self._ended:
            return PLANNED
        # If a reply were as likely to end at each token, this would be the likeliest mean length.
        written = sum(self._ended) + sum(len(b.written) * len(b.asked) for b in under_way)
        return max(PLANNED, written // len(self._ended))

    def _planned(self, branch: ReplyBranch, usual: int) -> int:
        """The tokens that replies are taken to need beside their prompt, if they usually have so many."""
        most = max(usual, len(branch.written) + MORE) if branch.written else usual
        alike = drawn = 0
        for room in (self.rooms[i] for i in branch.asked):
            tokens = min(room.longest, most) if self.rereads else room.longest
            if room.is_drawn:
                drawn += tokens
            else:
                alike = max(alike, tokens)
        return alike + drawn
