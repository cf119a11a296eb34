"""Makes the items of a result into columns, which a page filters, and texts, which it loads on demand."""

import json
from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import islice
from typing import Any

from tiltmeter.core.records import Record
from tiltmeter.run.measuring.columns import ASIDE

AT_ONCE = 500
"""How many items have their texts in one file."""
MOST = 200_000
"""How many items of a result are listed; a browser cannot hold many more."""


def item_files(name: str, records: Iterable[Record], *, show_text: bool) -> dict[str, Any]:
    """The contents of files by name: one with ids, axes and scores, and files with texts.

    Files of texts are named after a digest of their contents, so results on the same items share them. Scores
    that only say how others were computed, such as numbers of tokens, are left out.
    """
    ids: list[str] = []
    axes: dict[str, tuple[dict[str, int], list[int]]] = {}
    scores: dict[str, list[float | None]] = {}
    files: dict[str, Any] = {}
    texts: dict[str, list[str]] = {"texts": [], "said": []}
    left = islice(records, MOST)
    while some := list(islice(left, AT_ONCE)):
        for record in some:
            kind = {"kind": record.kind} if record.kind else {}
            for axis, label in {**record.groups, **kind}.items():
                labels, codes = axes.setdefault(axis, ({}, []))
                codes += [-1] * (len(ids) - len(codes))  # for the items before that lack the axis
                codes.append(labels.setdefault(label, len(labels)))
            for score in (score for score in record.scores if not score.startswith(ASIDE)):
                column = scores.setdefault(score, [])
                column += [None] * (len(ids) - len(column))
                column.append(float(f"{record.scores[score]:.7g}"))
            ids.append(record.item)
        contents: dict[str, Sequence[object]] = {
            "texts": [dict(record.texts) for record in some], "said": [record.said for record in some],
        }  # fmt: skip
        for what, content in contents.items() if show_text else ():
            digest = sha256(json.dumps(content).encode()).hexdigest()[:20] if any(content) else ""
            texts[what].append(digest)
            if digest:
                files[f"texts-{digest}"] = content
    columns = {
        axis: {"labels": [*labels], "codes": codes} for axis, (labels, codes) in axes.items()
    }
    return {
        name: {"ids": ids, "axes": columns, "scores": scores, "at_once": AT_ONCE, **texts},
        **files,
    }
