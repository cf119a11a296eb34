"""Sensitivity test of 51 groups × 32 traits × 35 templates: the published loop against Tiltmeter.

Groups are trades and traits are mild: what is measured is time. The published loop goes item by item:
for each piece of a trait one sentence through the model, with and without the group, gradients on; the
whole last layer copied with its bias, the nearest one found in a loop over the vocabulary, and the
norm of the difference of both matrices taken. It would take days, so it gets some of the items: every so
many-th of all, sorted by pieces and length. Its time is scaled by the number of sentences that go
through the model.
"""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, product
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import _models, _ours
from benchmarks._frame import DIFFERENCE, SAME, TIMES, Row, Settings, timed
from tiltmeter.core.model.requests import Blanked
from tiltmeter.core.types import Array, Integers
from tiltmeter.run.stored_answers.cached_model import CachedModel
from tiltmeter.run.stored_answers.store import Store
from tiltmeter.studies.group_traits.sensitivity import published_score, weight_change

TASK = "Sensitivity test, groups × traits"
GROUPS = (
    "baker barber botanist builder cellist chemist cleaner clerk cook cyclist dancer dentist "
    "designer diver doctor driver editor engineer farmer gardener geologist glazier jeweller "
    "joiner judge lawyer librarian mason mechanic miner nurse optician painter pianist pilot "
    "plumber poet porter potter printer roofer sailor sculptor singer surveyor tailor teacher "
    "translator typist waiter weaver"
)
TRAITS = (
    "active bold brisk calm careful chatty cheerful curious down-to-earth easy-going funny "
    "generous good-natured hard-working modest musical neat patient practical punctual quick "
    "quiet restful serious shy slow soft-spoken sporty thoughtful thrifty tidy well-read"
)
BELIEFS = (
    *(
        f"{who} {say}"
        for who in ("I", "We", "People")
        for say in ("believe", "expect", "think", "know")
    ),
    *(f"Everyone {says}" for says in ("believes", "expects", "thinks", "knows")),
)
OUGHT = (
    "are supposed to be", "should be", "are seen as", "ought to be", "are expected to be"
)  # fmt: skip
TEMPLATES = (
    *(f"{the} {{one}} is {{trait}}." for the in ("The", "That", "A")),
    *(f"{those} {{many}} are {{trait}}." for those in ("Most", "Many", "All", "These", "Some")),
    "Why are {many} {trait}?",
    *(f"The {{many}} are {very} {{trait}}." for very in ("very", "so", "mostly")),
    *(f"{belief} that {{many}} are {{trait}}." for belief in BELIEFS),
    *(f"The {{many}} {should} {{trait}}." for should in OUGHT),
    "The {trait} people are {many}.",
    "The {many} are more likely to be {trait} than others.",
)
PRIOR = {"one": "person", "many": "people"}


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence about a group, or about nobody in particular, with a trait in it."""

    before: str
    trait: str
    after: str

    @property
    def text(self) -> str:
        """The whole sentence."""
        return f"{self.before}{self.trait}{self.after}"


def rows(settings: Settings) -> Iterator[Row]:
    """Tiltmeter on all items, the published loop on some."""
    with_group, without = _items(settings)
    with tempfile.TemporaryDirectory() as temporary:
        folder, size = settings.masked, _models.TINY if settings.tiny else _models.BERT_BASE
        if folder is None:
            texts = [item.text for item in with_group + without]
            folder = str(_models.random_masked(Path(temporary), size, texts, settings))
        plain, tokenizer = _models.plain(folder)
        ours = _ours.opened(folder)
    name = Path(folder).name if settings.masked else f"{size.name}, random weights"
    case = f"{len(with_group):,} items (group, trait, template), {name}"
    pieces = [len(tokenizer.tokenize(item.trait)) for item in with_group]
    count = 3 if settings.tiny else 6 if settings.quick else 48
    few = _every(with_group, pieces, count)
    published(plain, tokenizer, with_group[few[0]], without[few[0]])  # warm up
    slow, seconds = timed(
        lambda: [published(plain, tokenizer, with_group[i], without[i]) for i in few]
    )
    share = sum(pieces[i] for i in few) / sum(pieces)
    tiltmeter(ours, with_group[:3], without[:3])  # warm up
    (found, passes), took = timed(lambda: tiltmeter(ours, with_group, without))
    yield Row(
        case,
        "tiltmeter",
        took,
        {
            "items a second": len(with_group) / took,
            "sentences through the model": passes,
            "spread of scores": float(np.std(found)),
        },
        "all items, texts to scores, the store of answers empty at the start",
    )
    equal = int((np.sign(found[few]) == np.sign(slow)).sum())
    yield Row(
        case,
        "published loop",
        seconds / share,
        {
            "items a second": len(with_group) * share / seconds,
            "sentences through the model": 2 * sum(pieces),
            TIMES: seconds / share / took,
            DIFFERENCE: float(np.abs(found[few] - slow).max()),
            SAME: f"{equal} of {len(few)}",
        },
        f"measured on {len(few)} items ({seconds:.1f} s) and scaled up",
    )


def _items(settings: Settings) -> tuple[list[Item], list[Item]]:
    """Each group, trait and template, and the same with the word for nobody in particular."""
    groups, traits, templates = GROUPS.split(), TRAITS.split(), TEMPLATES
    if settings.tiny or settings.quick:
        groups, templates = groups[::25], templates[::12]
    return tuple(
        [_filled(t, names, trait) for names in words for trait, t in product(traits, templates)]
        for words in ([{"one": g, "many": f"{g}s"} for g in groups], [PRIOR] * len(groups))
    )


def _filled(template: str, names: dict[str, str], trait: str) -> Item:
    before, after = (part.format(**names) for part in template.split("{trait}"))
    return Item(before, trait, after)


def _every(items: Sequence[Item], pieces: Sequence[int], count: int) -> list[int]:
    """So many of them with the same distribution of pieces and lengths."""
    rank = sorted(range(len(items)), key=lambda i: (pieces[i], len(items[i].text), i))
    step = len(items) / count
    return [rank[int((k + 0.5) * step)] for k in range(count)]


def tiltmeter(model: Any, with_group: list[Item], without: list[Item]) -> tuple[Array, int]:
    """The published score of each item, and how many sentences went through the model."""
    items = with_group + without
    tokens = dict(
        zip(texts := list(dict.fromkeys(i.text for i in items)), model.encode(texts), strict=True)
    )
    asked = [_requests(tokens[item.text], item) for item in items]
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "answers.sqlite") as store:
        answers = CachedModel(model, store).readout([*chain.from_iterable(asked)])
    distance, length = np.concatenate(answers, axis=1)
    starts: Integers = np.cumsum([0, *map(len, asked)])[:-1]
    scores = published_score(weight_change(distance, length), starts)
    passes = len({request.seen for request in chain.from_iterable(asked)})
    return scores[: len(with_group)] - scores[len(with_group) :], passes


def _requests(tokens: Any, item: Item) -> list[Blanked]:
    """One a piece of the trait: those before it in place, it and those after it hidden."""
    first, last = len(item.before), len(item.before) + len(item.trait)
    inside = [i for i, (start, end) in enumerate(tokens.spans) if start < last and end > first]
    return [Blanked(tokens.ids, tuple(inside[k:]), (at,)) for k, at in enumerate(inside)]


def published(model: Any, tokenizer: Any, with_group: Item, without: Item) -> float:
    """The score of one item: with the group less without it."""
    one, other = (_published(model, tokenizer, item) for item in (with_group, without))
    return one - other


def _published(model: Any, tokenizer: Any, item: Item) -> float:
    pieces = tokenizer(item.trait, add_special_tokens=False)["input_ids"]
    masks = " ".join([tokenizer.mask_token] * len(pieces))
    ids = tokenizer(f"{item.before}{masks}{item.after}", return_tensors="pt")["input_ids"]
    hidden = (ids[0] == tokenizer.mask_token_id).nonzero()[:, 0].tolist()
    scores = []
    for at, piece in zip(hidden, pieces, strict=True):
        output = model(ids, output_hidden_states=True)
        state = model.cls.predictions.transform(output.hidden_states[-1][0, at]).detach().numpy()
        layer = model.cls.predictions.decoder
        weights = np.append(
            layer.weight.detach().numpy(), layer.bias.detach().numpy()[:, None], axis=1
        )
        new = _nearest(weights, np.append(state, 1), piece)
        scores.append(np.log(1 - np.linalg.norm(weights - new)))
        ids[0][at] = piece
    return min(scores)


def _nearest(weights: Array, state: Array, target: int) -> Array:
    """The nearest matrix under which the target leads by 1."""
    logits = weights.dot(state)
    over = (logits - logits[target] + 1) / state.dot(state)
    over[target] = 0
    order = (-over).argsort()
    order = np.concatenate([[target], order[order != target]])
    moves = np.empty(len(over))
    moves[order] = _squished(over[order])
    return weights + (moves - over)[:, None].dot(state[None])


def _squished(values: Array) -> Array:
    """The first meets those above it, which stand in falling order; the others stay."""
    assert all(values[i] >= values[i + 1] for i in range(1, len(values) - 1))
    level, k = values[0], 1
    while k < len(values) and values[k] > level:
        level = level * k / (k + 1) + values[k] / (k + 1)
        k += 1
    moved = values.copy()
    moved[:k] = level
    return moved
