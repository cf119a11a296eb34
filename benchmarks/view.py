"""The page over many results in Chromium: opening it, filtering its numbers, opening and filtering items.

The runs are made up: the numbers of a small run of pairs, with random scores of as many pairs as asked for.
Seconds are the browser's own, from the address, or from a key in a filter, until the rows are laid out.
"""

import os
import random
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import tiltmeter as tm
from benchmarks._frame import Row, Settings, wall_timed
from tiltmeter.analyses.compare import comparison
from tiltmeter.core.records import Record
from tiltmeter.core.results import Result
from tiltmeter.derived.comparisons.compare import compare_all
from tiltmeter.report.view.view_files import ViewFiles
from tiltmeter.run.files import folder

CHROMIUM = os.environ.get("TILTMETER_CHROMIUM") or shutil.which("chromium")
ITEMS = 60_000
FILTER = """async ([name, text]) => {
  const field = document.querySelector(`[name="${name}"]`), begun = performance.now();
  field.value = text;
  field.dispatchEvent(new Event(field.localName === 'select' ? 'change' : 'input'));
  document.body.getBoundingClientRect();
  return (performance.now() - begun) / 1000;
}"""


def rows(settings: Settings) -> Iterator[Row]:
    """Writing the page, opening it, filtering, and the same for the items of a result."""
    runs, items = (3, 60) if settings.tiny else (10, 5_000) if settings.quick else (50, ITEMS)
    case = f"{runs} runs of {settings.pairs or items:,} items"
    with tempfile.TemporaryDirectory() as temporary:
        base = Path(temporary)
        first = tm.run("starter_pairs", "fake:masked").result
        for number in range(runs):
            folder.write(
                _made_up(first, number, settings.pairs or items),
                base / "runs" / f"run-{number}",
                page="",
            )
        files = ViewFiles(
            [base / "runs"], lambda two: comparison(two, compare_all([*two.values()]))
        )
        page, seconds = wall_timed(lambda: files.write_page(base / "view", files.names))
        size = sum(file.stat().st_size for file in page.parent.rglob("*"))
        yield Row(case, "write the page", seconds, {"MB": size / 1e6}, clock="wall")
        yield from _in_chromium(case, page)


def _in_chromium(case: str, page: Path) -> Iterator[Row]:
    try:
        from playwright.sync_api import Error, sync_playwright

        with sync_playwright() as started:
            browser = started.chromium.launch(
                executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
            )
            tab = browser.new_page()
            for way, view, fields in (
                ("numbers", "#index", [("group", "gen"), ("model", "run-1"), ("measure", "every")]),
                (
                    "items",
                    "#items?of=run-0&measure=stereotype_rate",
                    [("find", "99"), ("sort", "(difference):down")],
                ),
            ):
                tab.goto("about:blank")
                tab.goto(f"{page.as_uri()}{view}")
                tab.wait_for_selector("tbody tr")
                shown = "performance.getEntriesByName('shown')[0].startTime / 1000"
                yield Row(case, f"open {way}", tab.evaluate(shown), clock="wall")
                slowest = max(tab.evaluate(FILTER, list(field)) for field in fields)
                yield Row(
                    case, f"filter {way}, the slowest of {len(fields)}", slowest, clock="wall"
                )
            browser.close()
    except (ImportError, Error) as missing:
        yield Row(case, "in Chromium", skipped=str(missing).splitlines()[0])


def _made_up(result: Result, number: int, items: int) -> Result:
    rng, kinds = (
        random.Random(number),
        [*dict.fromkeys(r.groups["bias_type"] for r in result.records)],
    )
    records = [
        Record(
            f"pair-{i}", {"more": rng.gauss(-60, 9), "less": rng.gauss(-60, 9)},
            {"bias_type": kinds[i % len(kinds)], "direction": ("stereo", "antistereo")[i % 2]},
            texts={"more": f"The {i}th neighbour was late.", "less": f"The {i}th cousin was late."},
        )
        for i in range(items)
    ]  # fmt: skip
    card = replace(
        result.card, model={**result.card.model, "name": f"run-{number}", "fingerprint": str(number)},
        counts={**result.card.counts, "scored": items, "total": items},
    )  # fmt: skip
    estimates = [
        replace(e, model=f"run-{number}", value=(e.value or 0) + number / 10)
        for e in result.estimates
    ]
    return Result(card, records, estimates)
