"""The likeliest replies of a language model, found by beam search.

For each prompt, as many of the likeliest beginnings are kept as replies are wanted. A reply that has ended is
ranked by its mean log-probability per token, including the token that ends it. A prompt is finished when as
many replies have ended as are wanted. Replies do not depend on what else is asked, except for rounding.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tiltmeter.core.model.batch_progress import each_reported, report_share
from tiltmeter.core.model.batches import batches_by_length
from tiltmeter.core.model.conversations import BeamWriting, Finish, Reply, before_stop
from tiltmeter.models.writing.next_tokens import ReadsOn
from tiltmeter.models.writing.reply_writer import ReplyWriter

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, slots=True)
class _Beam:
    """A beginning of a reply."""

    logprob: float
    written: tuple[int, ...]
    row: int
    """The row of the logits that continue it."""


@dataclass(slots=True)
class _Search:
    """The search for replies to one prompt: its beams, and the replies that have ended."""

    request: BeamWriting
    prompt: tuple[int, ...]
    beams: list[_Beam] = field(default_factory=lambda: [_Beam(0.0, (), 0)])
    ended: list[tuple[float, Reply]] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        return len(self.ended) >= self.request.beams or not self.beams

    @property
    def replies(self) -> tuple[Reply, ...]:
        """The best replies that have ended, best first; of ties, the one that ended first."""
        best = sorted(self.ended, key=lambda scored: -scored[0])
        return tuple(reply for _, reply in best[: self.request.beams])


class BeamWriter(ReplyWriter):
    """Finds the likeliest replies by beam search (`WritesBeams`)."""

    def write(self, requests: Sequence[BeamWriting]) -> list[tuple[Reply, ...]]:
        """The replies to each request, best first."""
        # A beam is ranked as an answer from its first token on, so thinking is switched off.
        prompts = [self.reader.followed(request.prompt, [""])[0] for request in requests]
        lengths = self._lengths(prompts, requests)
        searches = [_Search(r, p) for r, p in zip(requests, prompts, strict=True)]
        sizes = [n * r.beams for n, r in zip(lengths, requests, strict=True)]
        for batch in each_reported(batches_by_length(sizes, self.tokens)):
            texts = self._texts(max(lengths[i] for i in batch))
            self._run([searches[i] for i in batch], texts)
        return [search.replies for search in searches]

    def _run(self, searches: Sequence[_Search], reader: ReadsOn) -> None:
        import torch

        with torch.inference_mode():
            logits = reader.read([search.prompt for search in searches])
            for row, search in enumerate(searches):
                search.beams = [_Beam(0.0, (), row)]
            going, steps = list(searches), 0
            longest = max(search.request.max_tokens for search in searches)
            while going:
                # Twice as many candidates as beams, so that enough go on even if others end the reply.
                width = 2 * max(search.request.beams for search in going)
                top = torch.log_softmax(logits, dim=1).topk(min(width, logits.shape[1]), dim=1)
                for search in going:
                    self._advance(search, top)
                going = [search for search in going if not search.is_over]
                steps += 1
                report_share(steps / longest)
                rows, texts = self._next_rows(going)
                if going:
                    logits = reader.read_on(rows, texts)

    def _next_rows(self, going: Sequence[_Search]) -> tuple[list[int], list[tuple[int, ...]]]:
        """The rows that are continued and their whole texts; the row of each beam is updated."""
        rows: list[int] = []
        texts: list[tuple[int, ...]] = []
        for search in going:
            for i, beam in enumerate(search.beams):
                search.beams[i] = _Beam(beam.logprob, beam.written, len(rows))
                rows.append(beam.row)
                texts.append((*search.prompt, *beam.written))
        return rows, texts

    def _advance(self, search: _Search, top: "torch.return_types.topk") -> None:
        """Extend the beams by one token, keep the best that go on, and move those that end to `ended`."""
        wanted = search.request.beams
        candidates = [
            (beam.logprob + more, beam, token)
            for beam in search.beams
            for more, token in zip(*(rows[beam.row].tolist() for rows in top), strict=True)
        ]
        candidates.sort(key=lambda candidate: -candidate[0])
        search.beams = []
        for rank, (logprob, beam, token) in enumerate(candidates):
            if wanted in {len(search.beams), len(search.ended)}:
                break
            if token not in self._ends:
                self._go_on(search, _Beam(logprob, (*beam.written, token), beam.row))
            elif rank < wanted:
                self._end(search, _Beam(logprob, beam.written, beam.row), "stop", ending=1)

    def _go_on(self, search: _Search, beam: _Beam) -> None:
        if search.request.stop:
            text = before_stop(self._decoded(beam.written), search.request.stop)
            if text is not None:
                self._end(search, beam, "stop", text)
                return
        if len(beam.written) >= search.request.max_tokens:
            self._end(search, beam, "length")
        else:
            search.beams.append(beam)

    def _end(
        self, search: _Search, beam: _Beam, finish: Finish, text: str | None = None, ending: int = 0
    ) -> None:
        """Add a beam to the replies that have ended; `ending` is 1 if an extra token ended it, else 0."""
        shown, tokens = self._decoded(beam.written) if text is None else text, len(beam.written)
        reply = Reply(shown, finish, len(search.prompt), tokens)
        search.ended.append((beam.logprob / (tokens + ending), reply))
