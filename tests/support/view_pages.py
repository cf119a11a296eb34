"""A result that tries to break the page over a folder of results, and what such a page loads."""

import json
from dataclasses import replace

from faults.hostile_texts import ELEMENTS, OTHERS
from tiltmeter.analyses.compare import comparison
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Result
from tiltmeter.core.study_views import Margins
from tiltmeter.derived.comparisons.compare import compare_all

TEXTS = [*ELEMENTS, *(text for text in OTHERS if "\0" not in text)]


def hostile():
    """A result all of whose texts try to become more than text."""
    names = "</script><img src=x onerror=window.broken=1>", "__proto__"
    groups = dict(zip((*names, "constructor"), TEXTS, strict=False))
    records = [
        Record(t, {"more": 1.0, "less": i / 9}, groups, said=t, texts={"more": t, "less": t})
        for i, t in enumerate(TEXTS)
    ]
    rate = Estimate(names[0], 51.0, 40.0, 60.0, 0.5, len(records), 50, "%", model=TEXTS[0])
    card = Card(
        study=TEXTS[1], study_version="1", model={"name": TEXTS[0], "fingerprint": "f"}, rule=TEXTS[2],
        convention=TEXTS[3], data={"name": TEXTS[4], "sha256": "s"}, counts={"scored": len(records)},
        views=(Margins(("more", "less"), (TEXTS[5], TEXTS[6])),), labels={"axis": {names[0]: TEXTS[7]}},
    )  # fmt: skip
    return Result(card, records, [rate, replace(rate, groups=dict([*groups.items()][:1]))])


def compare(runs):
    return comparison(runs, compare_all([*runs.values()]))


def content(page, name):
    """What a data file gives to the page."""
    text = (page.parent / "data" / f"{name}.js").read_text("ascii")
    inside = text.removeprefix("tiltmeter.take(").removesuffix(");\n")
    called, given = json.loads(f"[{inside}]")
    assert called == name
    return json.loads(given)
