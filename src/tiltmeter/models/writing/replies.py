"""Writes several replies of a language model at once, each as if it had been asked for alone.

A prompt is read once, however many replies to it are wanted, and replies that begin alike are continued
together until they differ. Every token is drawn with a number derived from the request and the position in
the reply, so that a reply does not depend on what else is asked at the same time. At temperature 0 the
likeliest token is taken.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.batch_progress import WrittenTokens
from tiltmeter.core.model.conversations import (
    BeamWriting,
    Choosing,
    Finish,
    Prompt,
    Reply,
    Writing,
    before_stop,
    request_key,
)
from tiltmeter.core.model.prefix_trees import LONG, beginning, common, tree_batches
from tiltmeter.core.model.protocols import Chooses, Writes, WritesBeams
from tiltmeter.core.model.requests import Continuation
from tiltmeter.core.model.thoughts import with_thought_apart
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array
from tiltmeter.models.writing.beams import BeamWriter
from tiltmeter.models.writing.next_tokens import ReadsOn
from tiltmeter.models.writing.prompt_reader import ReadPrompt
from tiltmeter.models.writing.reply_places import ReplyBranch, ReplyPlaces, Room
from tiltmeter.models.writing.reply_writer import ReplyWriter
from tiltmeter.models.writing.thought_progress import ThoughtProgress

if TYPE_CHECKING:
    import torch


WRITES: tuple[type, ...] = (Writes, WritesBeams, Chooses)
"""The protocols that `Replies` satisfies."""


@dataclass(slots=True)
class _Drawn:
    """One request, with its random numbers and its limits."""

    request: Writing
    room: int
    """Tokens that its thought may have; 0 where no thought is foreseen, which then shares the answer's."""
    key: bytes = field(init=False)

    def __post_init__(self) -> None:
        self.key = request_key(self.request).encode()

    def number(self, place: int) -> float:
        """A number from 0 up to but not including 1, always the same for the same request and position."""
        digest = blake2b(self.key, digest_size=8, salt=place.to_bytes(8)).digest()
        return (int.from_bytes(digest) >> 11) / 2**53  # 53 bits, all that a float holds

    def limit(self, progress: ThoughtProgress) -> int:
        """How many tokens a reply may have that has come this far."""
        if not self.room:
            return self.request.max_tokens
        if progress.at == "answer":
            return progress.tokens + self.request.max_tokens
        return self.room + (self.request.max_tokens if progress.at == "begin" else 0)


class Writer(ReplyWriter):
    """Draws replies, or takes the likeliest token at temperature 0 (`Writes`)."""

    def options(self, request: Choosing) -> list[Continuation]:
        """The options as continuations of the prompt.

        Scoring begins where the tokens of prompt and option first differ from those of the prompt alone or of
        another option, so that a token across the border is scored as a whole. In a decoder's text, which
        begins with the option, the whole option is scored without the space before it.

        Raises:
            CannotAnswer: The prompt is empty, or an option adds no token.
        """
        if request.thought is None and request.thinking not in {"", "off"}:
            raise CannotAnswer(
                f"{self._name} cannot choose and think (--thinking {request.thinking}); use a rule that "
                "scores options behind a thought, such as choice_after_thought"
            )
        asked = partial(
            self.reader.followed,
            request.prompt,
            thought=request.thought,
            thinking=request.thinking,
            tags=request.thinking_tags,
        )
        if self._start:
            (prompt,) = asked([""])
            options = self._loaded.encode([o.lstrip() for o in request.options], special=False)
            rows = [(*prompt, *option.ids) for option in options]
            begun = len(prompt)
        else:
            alone, *rows = asked(["", *request.options])
            begun = min(common(alone, row) for row in (alone, *rows))
        short = [o for o, row in zip(request.options, rows, strict=True) if len(row) <= begun]
        if short or not begun:
            what = f"the option {short[0]!r} adds no token" if short else "the prompt is empty"
            raise CannotAnswer(f"{self._name} cannot choose: {what}")
        return [Continuation(row[:begun], row[begun:], start=False) for row in rows]

    def write(self, requests: Sequence[Writing]) -> list[Reply]:
        """A reply to each request, in order."""
        prompts = [self.reader.asked(r.prompt, r.thinking, r.thinking_tags) for r in requests]
        lengths = self._lengths([prompt.ids for prompt in prompts], requests)
        rooms = [self._room(*both) for both in zip(requests, lengths, strict=True)]
        drawn = [_Drawn(*both) for both in zip(requests, rooms, strict=True)]
        replies: dict[int, Reply] = {}
        progress = WrittenTokens(sum(request.usual_tokens for request in requests))
        for stream in self._streams(prompts, drawn):
            longest = max(lengths[i] + rooms[i] for branch in stream for i in branch.asked)
            for branch, finish in self._written(stream, drawn, self._texts(longest), progress):
                reply = self._apart(branch, finish)
                for i in branch.asked:
                    kept = before_stop(reply.text, requests[i].stop)
                    replies[i] = reply if kept is None else replace(reply, text=kept, finish="stop")
        return [replies[i] for i in range(len(requests))]

    def _room(self, request: Writing, length: int) -> int:
        """The tokens for a thought, as far as the model's limit leaves them beside prompt and answer."""
        room = request.thinking_tokens
        if self._limit is not None and length + room > self._limit and not self._start:
            room = self._limit - length
            self._loaded.about["room for thoughts"] = (
                f"some had less than {counted(request.thinking_tokens, 'tokens')}, as the model "
                "reads at most "
                f"{self._limit:,} in all"
            )
        return room

    def _apart(self, branch: ReplyBranch, finish: Finish) -> Reply:
        """What a branch has written, with the thought apart from the answer."""
        progress, tokens = branch.progress, len(branch.written)
        reply = Reply(
            self._decoded(branch.written, progress.tags), finish, len(branch.prompt.ids), tokens,
            thought_tokens=tokens if progress.at == "thought" else progress.tokens,
        )  # fmt: skip
        return with_thought_apart(reply, progress.tags, begun=branch.prompt.in_thought)

    def _streams(
        self, prompts: Sequence[ReadPrompt], drawn: Sequence[_Drawn]
    ) -> Iterator[list[ReplyBranch]]:
        """The replies in groups that share places, each with what its prompts begin with in memory once."""
        by_prompt: dict[tuple[ReadPrompt, tuple[str, ...]], list[int]] = {}
        for i, prompt in enumerate(prompts):
            by_prompt.setdefault((prompt, drawn[i].request.thinking_tags), []).append(i)
        most = self.tokens
        branches: list[ReplyBranch] = []
        rooms: list[int] = []  # tokens that a branch's replies are planned to need
        for (prompt, tags), asked in by_prompt.items():
            room = most  # full, so that the first reply to a prompt begins a new branch
            for i in asked:
                request = drawn[i].request
                tokens = request.max_tokens if self._start else request.usual_tokens
                if room + tokens > most:
                    progress = ThoughtProgress(tags, "thought" if prompt.in_thought else "begin")
                    branches.append(ReplyBranch(prompt, (), [], progress))
                    rooms.append(0)
                    room = 0
                branches[-1].asked.append(i)
                # At temperature 0 all replies are the same, so they share their tokens.
                room = room + tokens if request.temperature else max(room, tokens)
                rooms[-1] = room
        texts = [branch.prompt.ids for branch in branches]
        members: list[int] = []
        for more, _ in tree_batches(texts, most, rooms):
            begun = beginning([texts[k] for k in members])
            if members and begun >= LONG > beginning([texts[k] for k in (*members, *more)]):
                yield [branches[k] for k in members]
                members = []
            members += more
        yield [branches[k] for k in members]

    def _written(
        self,
        stream: list[ReplyBranch],
        drawn: Sequence[_Drawn],
        texts: ReadsOn,
        progress: WrittenTokens,
    ) -> Iterator[tuple[ReplyBranch, Finish]]:
        """Write until all replies are finished; yields branches as they finish, with the reason."""
        import torch

        places = ReplyPlaces(
            stream,
            [Room(self._most(each), is_drawn=each.request.temperature > 0) for each in drawn],
            self.tokens, beginning([branch.prompt.ids for branch in stream]),
            joins=texts.joins, rereads=texts.rereads,
        )  # fmt: skip
        going: list[ReplyBranch] = []
        rows: list[int] = []  # of the last logits, which the branches continue
        with torch.inference_mode():
            while going or places.waiting:
                count = places.kept(going)
                going, rows = going[:count], rows[:count]
                read = [texts.read_on(rows, [b.whole for b in going])] if going else []
                if begun := places.next_ones(going):
                    read.append(_begun(texts, begun, going, places.waiting))
                branches, going, rows = [*going, *begun], [], []
                tokens = _next_of(torch.cat(read), branches, drawn)
                for row, branch in enumerate(branches):
                    for part, finish in self._parted(branch, tokens, drawn):
                        if finish is None:
                            rows.append(row)
                            going.append(part)
                        else:
                            places.ended(part)
                            progress.add(sum(
                                max(drawn[i].request.usual_tokens - len(part.written), 0)
                                for i in part.asked
                            ))  # fmt: skip
                            yield part, finish
                progress.add(sum(len(branch.asked) for branch in going))

    def _most(self, drawn: _Drawn) -> int:
        """How many tokens a reply may have, thought included."""
        return drawn.room + drawn.request.max_tokens

    def _parted(
        self, branch: ReplyBranch, tokens: Mapping[int, int], drawn: Sequence[_Drawn]
    ) -> Iterator[tuple[ReplyBranch, Finish | None]]:
        """The branches into which one splits by its next tokens; finished ones have a reason, others None."""
        by_token: dict[int, list[int]] = {}
        for i in branch.asked:
            by_token.setdefault(tokens[i], []).append(i)
        for token, asked in by_token.items():
            if token in self._ends:
                yield ReplyBranch(branch.prompt, branch.written, asked, branch.progress), "stop"
                continue
            written = (*branch.written, token)
            progress = branch.progress
            if progress.at != "answer":
                progress = progress.after(written, partial(self._decoded, tags=progress.tags))
            stops = any(drawn[i].request.stop for i in asked)
            text = self._answer(written, branch.prompt, progress) if stops else ""
            sorts: dict[Finish | None, list[int]] = {}
            for i in asked:
                is_full = drawn[i].limit(progress) <= len(written)
                # A stop text before it is clear that there is no thought counts where none is foreseen.
                counts = progress.at == "answer" or (progress.at == "begin" and not drawn[i].room)
                is_stopped = counts and before_stop(text, drawn[i].request.stop) is not None
                finish: Finish | None = "stop" if is_stopped else "length" if is_full else None
                sorts.setdefault(finish, []).append(i)
            for finish, some in sorts.items():
                yield ReplyBranch(branch.prompt, written, some, progress), finish

    def _answer(self, written: Sequence[int], prompt: ReadPrompt, progress: ThoughtProgress) -> str:
        """The text of the answer so far, without blank space between a thought and the answer."""
        text = self._decoded(written[progress.tokens :], progress.tags)
        return text.lstrip() if progress.tokens or prompt.in_thought else text


class Replies(ABC):
    """Answers `Writes`, `WritesBeams` and `Chooses` for models that score continuations."""

    deterministic = True
    _writer: Writer
    _beams: BeamWriter

    @abstractmethod
    def _scored(self, requests: Sequence[Continuation]) -> list[Array]:
        """For each request the log-probabilities of `ids`."""

    @property
    def chats(self) -> bool:
        """Whether the tokenizer has a chat template."""
        return self._writer.reader.chats

    @property
    def thinks(self) -> bool:
        """Whether its chat template has it think by itself."""
        return self._writer.reader.thinking.thinks

    @property
    def can_think(self) -> bool:
        """Whether it thinks by itself or where its chat template is asked for it."""
        return self._writer.reader.thinking.can_think

    @property
    def reply_tokens(self) -> int:
        """How many tokens of prompts and replies are best asked for together."""
        return self._writer.tokens

    def prompt_lengths(self, prompts: Sequence[Prompt]) -> list[int]:
        """The tokens of each prompt, including the chat template."""
        return [len(ids) for ids in self._writer.reader.tokens(prompts)]

    def write(self, requests: Sequence[Writing]) -> list[Reply]:
        """A reply to each request, in order."""
        return self._writer.write(requests)

    def write_beams(self, requests: Sequence[BeamWriting]) -> list[tuple[Reply, ...]]:
        """The best replies to each request, best first."""
        return self._beams.write(requests)

    def choice_logprobs(self, requests: Sequence[Choosing]) -> list[Array]:
        """For each request the log-probabilities of its whole options, shape (len(options),)."""
        asked = [self._writer.options(request) for request in requests]
        rows = self._scored([option for options in asked for option in options])
        sums = iter([float(row.sum()) for row in rows])
        return [np.array([next(sums) for _ in options]) for options in asked]


def _begun(
    texts: ReadsOn,
    begun: Sequence[ReplyBranch],
    under_way: Sequence[ReplyBranch],
    later: Sequence[ReplyBranch],
) -> "torch.Tensor":
    """The logits after what these branches have so far."""
    whole = [branch.whole for branch in begun]
    if under_way:
        return texts.join(whole)
    return texts.read(whole, [branch.prompt.ids for branch in later] if texts.joins else ())


def _next_of(
    logits: "torch.Tensor", branches: Sequence[ReplyBranch], drawn: Sequence[_Drawn]
) -> dict[int, int]:
    """The next token of each request, by the logits of its branch, (branches, vocabulary)."""
    ways: dict[tuple[float, float], list[tuple[int, int]]] = {}
    for row, branch in enumerate(branches):
        for i in branch.asked:
            request = drawn[i].request
            ways.setdefault((request.temperature, request.top_p), []).append((row, i))
    next_tokens: dict[int, int] = {}
    for (temperature, top_p), asked in ways.items():
        rows = [row for row, _ in asked]
        numbers = [drawn[i].number(len(branches[row].written)) for row, i in asked]
        tokens = drawn_tokens(logits, rows, numbers, temperature=temperature, top_p=top_p)
        next_tokens |= {i: token for (_, i), token in zip(asked, tokens, strict=True)}
    return next_tokens


BLOCK = 256
"""How many tokens a block has: to draw one, probabilities are summed up by block, then within one block."""


def drawn_tokens(
    logits: "torch.Tensor",
    rows: Sequence[int],
    numbers: Sequence[float],
    *,
    temperature: float,
    top_p: float,
) -> list[int]:
    """The token that each number in `numbers` draws from its row of the logits, (rows, vocabulary).

    At temperature 0 it is the likeliest token. Otherwise tokens are intervals on a line, as wide as they are
    likely, and the number says where on the line to look.
    """
    import torch

    used = sorted(set(rows))
    used_logits = logits if len(used) == len(logits) else logits[used]
    if not temperature:
        likeliest = dict(zip(used, used_logits.argmax(dim=1).tolist(), strict=True))
        return [likeliest[row] for row in rows]
    widths = _widths(used_logits, temperature, top_p)  # (used, blocks, BLOCK)
    place = {row: k for k, row in enumerate(used)}
    at = torch.tensor([place[row] for row in rows], device=logits.device)
    block_ends = widths.sum(2, dtype=torch.double).cumsum(1)  # (used, blocks)
    ends = block_ends[at]  # (draws, blocks)
    shares = torch.tensor(numbers, dtype=torch.double, device=logits.device)
    wanted = shares[:, None] * ends[:, -1:]
    block = torch.searchsorted(ends, wanted, right=True)
    # Rounding may put the number past the end: take the last block, and token, with any probability.
    last = torch.searchsorted(ends, ends[:, -1:].contiguous())
    block = block.minimum(last)
    before = ends.gather(1, (block - 1).clamp(min=0)).where(block > 0, 0.0)
    inner = widths[at, block.squeeze(1)].double().cumsum(1) + before  # (draws, BLOCK)
    token = torch.searchsorted(inner, wanted, right=True)
    token = token.minimum(torch.searchsorted(inner, inner[:, -1:].contiguous()))
    return [int(number) for number in (block * BLOCK + token).squeeze(1).tolist()]


def _widths(logits: "torch.Tensor", temperature: float, top_p: float) -> "torch.Tensor":
    """The width of each token on the line, (rows, blocks, BLOCK); 0 outside the likeliest `top_p`."""
    import torch

    widths = ((logits - logits.amax(1, keepdim=True)) / temperature).exp_()
    if top_p < 1:
        chances = widths.double() / widths.sum(1, keepdim=True, dtype=torch.double)
        falling, order = torch.sort(chances, dim=1, descending=True, stable=True)
        outside = falling.cumsum(1) - falling >= top_p
        widths = chances.scatter(1, order, falling.masked_fill(outside, 0.0))
    more = -widths.shape[1] % BLOCK
    return torch.nn.functional.pad(widths, (0, more)).view(len(widths), -1, BLOCK)
