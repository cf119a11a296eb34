"""What a leaderboard publishes: contexts without labels, and a labelled part to develop on.

Both are files in StereoSet's layout. Candidates come in the order of their ids, which must not reveal labels.
"""

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tiltmeter.core.data.items import SIDES, TASKS, Dataset, Task, Triple
from tiltmeter.core.errors import BadInput
from tiltmeter.data.triples.triple_reading import LABELS

EMPTY = ("", "", "")
CHANCE = 1 / len(SIDES)
DEVIATIONS = 5
"""Standard deviations from chance above which the order of ids is taken to reveal labels."""
ID_DIGITS = 24
"""Hexadecimal digits of an id that the board makes."""


def fault_of_ids(data: Dataset[Triple]) -> str:
    """Why the ids of candidates cannot be published, such as that they reveal labels; "" if they can.

    >>> item = Triple("c1", "intersentence", "A.", ("x", "y", "z"), "nurse", "job")
    >>> fault_of_ids(Dataset("mine", "", [item], "", ""))
    'there are candidates without an id of their own'
    """
    names = [name for item in data.items for name in item.names]
    if len(names) != len(SIDES) * len(data.items) or len(set(names)) < len(names):
        return "there are candidates without an id of their own"
    revealing = next((name for name in names if any(side in name for side in SIDES)), None)
    if revealing is not None:
        return f"the id {revealing!r} contains a label"
    n = len(data.items)
    places = Counter(
        (side, sorted(item.names).index(name))
        for item in data.items
        for side, name in enumerate(item.names)
    )
    limit = n * CHANCE + DEVIATIONS * (n * CHANCE * (1 - CHANCE)) ** 0.5
    if max(places.values()) > limit:
        return "the order of the ids reveals the labels"
    return ""


def with_random_ids(data: Dataset[Triple], key: bytes) -> Dataset[Triple]:
    """The items with ids of candidates that only the holder of the key can compute."""

    def named(item: Triple) -> tuple[str, ...]:
        signed = (f"{item.task}\x00{item.id}\x00{side}" for side in SIDES)
        return tuple(
            hmac.new(key, text.encode(), hashlib.sha256).hexdigest()[:ID_DIGITS] for text in signed
        )

    return replace(data, items=[replace(item, names=named(item)) for item in data.items])


def without_labels(data: Dataset[Triple]) -> Dataset[Triple]:
    """The contexts as they are published: candidates in the order of their ids.

    Raises:
        BadInput: The ids of candidates are missing, shared, or reveal labels.
    """
    fault = fault_of_ids(data)
    if fault:
        raise BadInput(f"{data.name}: {fault}", "use ids without meaning, one for each candidate")
    return replace(data, items=[_by_id(item) for item in data.items])


def contexts_text(contexts: Dataset[Triple]) -> str:
    """The file that submitters get, of contexts without labels."""
    return _text(contexts, [{} for _ in SIDES])


def development_text(data: Dataset[Triple]) -> str:
    """A file with labels, in StereoSet's layout."""
    gold = [{"gold_label": label} for label in LABELS]
    return _text(data, gold)


def read_contexts(text: str, *, name: str) -> Dataset[Triple]:
    """The contexts of a file that `contexts_text` wrote, without the candidates' texts."""
    whole = json.loads(text)
    items = [_triple(task, cluster) for task in TASKS for cluster in whole["data"].get(task, ())]
    return Dataset(name, "", items, name, "not stated")


def _by_id(item: Triple) -> Triple:
    order = sorted(range(len(SIDES)), key=item.names.__getitem__)
    first, second, third = (item.sentences[i] for i in order)
    names = tuple(item.names[i] for i in order)
    attributes = tuple(item.attributes[i] for i in order) if item.attributes else ()
    return replace(item, names=names, sentences=(first, second, third), attributes=attributes)


def _text(data: Dataset[Triple], gold: Sequence[dict[str, str]]) -> str:
    by_task: dict[str, list[dict[str, Any]]] = {task: [] for task in TASKS}
    for item in data.items:
        candidates = [
            {"id": name, "sentence": sentence, **label}
            for name, sentence, label in zip(item.names, item.sentences, gold, strict=True)
        ]
        by_task[item.task].append(
            {
                "id": item.id, "target": item.target, "bias_type": item.domain,
                "context": item.context,
                "sentences": sorted(candidates, key=lambda candidate: candidate["id"]),
            }
        )  # fmt: skip
    kept = {task: clusters for task, clusters in by_task.items() if clusters}
    return json.dumps({"version": data.version or "1", "data": kept}, ensure_ascii=False, indent=1)


def _triple(task: Task, cluster: Mapping[str, Any]) -> Triple:
    names = tuple(candidate["id"] for candidate in cluster["sentences"])
    return Triple(
        cluster["id"], task, cluster["context"], EMPTY, cluster["target"], cluster["bias_type"],
        EMPTY, names,
    )  # fmt: skip
