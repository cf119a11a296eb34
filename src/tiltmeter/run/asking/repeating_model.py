"""A model that is asked for several replies to every request, in one list for all repeats."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tiltmeter.core.model.conversations import Reply, Writing


class RepeatingModel:
    """Wraps a model so that a rule can be run once for each repeat, unaware of the others.

    All repeats of a request are asked for when the first is, one after the other: what changes on a server in
    the course of a run is then the same for all repeats, and a local model reads a prompt once for all of
    its replies. At temperature 0 a model whose replies are `deterministic` is asked once, and its reply
    is that of every repeat.
    """

    def __init__(self, model: Any, repeats: int, ranks: int = 1) -> None:
        """Wrap `model`; each of its prompts has `ranks` replies in a repeat (`PromptedText.rank`)."""
        self._model, self._repeats, self._ranks = model, repeats, ranks
        self._deterministic = bool(model.deterministic)
        self._replies: dict[Writing, list[Reply]] = {}
        self.repeat = 0
        """Which of the repeats is asked for."""

    def __getattr__(self, name: str) -> Any:
        # `copy` looks up attributes before `__init__` has run: `_model` would look itself up forever.
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._model, name)

    def write(self, requests: Sequence[Writing]) -> list[Reply]:
        """The reply to each request in this repeat."""
        new = [request for request in dict.fromkeys(requests) if request not in self._replies]
        asked = [again for request in new for again in self._asked(request)]
        written = iter(self._model.write(asked) if asked else ())
        self._replies |= {request: [next(written) for _ in self._asked(request)] for request in new}
        return [
            replies[self.repeat % len(replies)]
            for replies in map(self._replies.__getitem__, requests)
        ]

    def _asked(self, request: Writing) -> list[Writing]:
        often = 1 if self._deterministic and request.temperature == 0 else self._repeats
        return [
            replace(request, repeat=request.repeat + repeat * self._ranks)
            for repeat in range(often)
        ]

    @property
    def temperatures(self) -> set[float]:
        """The temperatures of the requests so far."""
        return {request.temperature for request in self._replies}

    @property
    def asks_again(self) -> bool:
        """Whether some request was made more than once, so that repeats may differ."""
        return any(len(replies) > 1 for replies in self._replies.values())

    @property
    def differ(self) -> bool:
        """Whether the replies to some request differ between repeats."""
        return any(len({reply.text for reply in replies}) > 1 for replies in self._replies.values())
