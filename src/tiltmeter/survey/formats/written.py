"""Pairs and triples that people wrote, as the table of items that the forms for validating them take.

A pair keeps the order in which it was written, and what its writer said of it. The continuations of a
triple come in random order under the names a, b and c, so that their place does not give them away.
"""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence

from tiltmeter.survey.collected import Collected, Response
from tiltmeter.survey.flow import FIRST
from tiltmeter.survey.form import SurveyItem
from tiltmeter.survey.formats.cells import Cell
from tiltmeter.survey.questions import WRITTEN

PAIRS = ("id", "sentence_1", "sentence_2", "direction", "bias_type")
TRIPLES = ("id", "context", "a", "b", "c", "target", "domain")
CONTINUATIONS = ("a", "b", "c")


def written_items(collected: Collected) -> tuple[Sequence[str], list[dict[str, Cell]]]:
    """Columns and rows: a row for each pair or triple; none where the form asks for neither."""
    kinds = {q.name: q.kind for page in collected.form.part("item") for q in page.questions}
    items = collected.items()
    pages: dict[tuple[str, str], list[Response]] = defaultdict(list)
    for response in collected.responses:
        if response.item and response.round == FIRST:
            pages[response.person, response.item].append(response)
    rows: list[dict[str, Cell]] = []
    columns: Sequence[str] = PAIRS
    for (_, key), responses in sorted(pages.items()):
        given = {answer.question: answer.value for answer in responses}
        for question, texts in given.items():
            if not isinstance(texts, dict):
                continue
            name = f"w{len(rows) + 1}"
            if kinds.get(question) == "pair":
                rows.append(_pair(name, texts, given))
            elif kinds.get(question) == "triple":
                columns = TRIPLES
                rows.append(_triple(name, texts, items[key]))
    return columns, rows


def _pair(name: str, texts: Mapping[str, str], given: Mapping[str, object]) -> dict[str, Cell]:
    first, second = (texts[name_of_text] for name_of_text in WRITTEN["pair"])
    cells = (name, first, second, str(given.get("direction", "")), str(given.get("bias_type", "")))
    return dict(zip(PAIRS, cells, strict=True))


def _triple(name: str, texts: Mapping[str, str], item: SurveyItem) -> dict[str, Cell]:
    context, *rest = (texts[part] for part in WRITTEN["triple"])
    random.Random("\n".join((name, context, *rest))).shuffle(rest)  # noqa: S311 an order, no secret
    target = next(iter(item.texts.get("term", {}).values()), "")
    return dict(zip(TRIPLES, (name, context, *rest, target, item.stratum), strict=True))
