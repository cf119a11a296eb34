"""A context and three continuations that a person writes: the items of a study that others validate."""

import random
from collections.abc import Mapping
from dataclasses import dataclass

from tiltmeter.survey.formats.cells import Cell
from tiltmeter.survey.question import Kind
from tiltmeter.survey.written_texts import TextsQuestion

CONTINUATIONS = ("a", "b", "c")
"""What the continuations of a new item are called: names that do not say which is the stereotype."""


@dataclass(frozen=True, slots=True)
class TripleQuestion(TextsQuestion):
    """The item that it is written for names the term, and as its stratum the domain."""

    parts = ("context", "stereotype", "anti_stereotype", "unrelated")
    item_columns = ("id", "context", *CONTINUATIONS, "target", "domain")

    kind: Kind = "triple"

    def new_item(
        self,
        name: str,
        texts: Mapping[str, str],
        *,
        given: Mapping[str, object],  # noqa: ARG002
        about: Mapping[str, str],
    ) -> dict[str, Cell]:
        """The texts, the continuations in random order, so that their place does not give them away."""
        context, *rest = (texts[part] for part in self.parts)
        random.Random("\n".join((name, context, *rest))).shuffle(rest)  # noqa: S311 an order, no secret
        cells = (name, context, *rest, about.get("term", ""), about["stratum"])
        return dict(zip(self.item_columns, cells, strict=True))


QUESTION = TripleQuestion
