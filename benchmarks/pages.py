"""Pages that people wait for, in Chromium: a survey over a slow line, and a comparison of three models.

The survey is `group_traits` as `tiltmeter survey serve` serves it. DevTools slow the line down to 400 kbit/s
both ways, with so many milliseconds before each answer. Seconds count from the click (or address) to the
first paint.

The comparison is of three models on 4,229 made-up contexts, as many as StereoSet has, of 300 target terms
in 4 domains: the whole command, then its page and that of a run, opened from the disk in two widths.
"""

import tempfile
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import mean, median
from typing import Any

from benchmarks._frame import Row, Settings
from benchmarks.many_items import _table, _triples
from benchmarks.view import CHROMIUM
from benchmarks.waits import _seconds
from tiltmeter.survey.form_file import read_form
from tiltmeter.survey.store import SurveyStore
from tiltmeter.survey.studies import open_study
from tiltmeter.survey.web.app import survey_app
from tiltmeter.survey.web.serving import served

CONTEXTS = 4_229
WIDTHS = 1280, 390
OPENED = """() => { const [page] = performance.getEntriesByType('navigation'); return {
  'DOM s': page.domContentLoadedEventEnd / 1000, 'loaded s': page.loadEventEnd / 1000,
  'longest task s': Math.max(0, ...window.tasks) / 1000, elements: document.querySelectorAll('*').length,
}; }"""
TASKS = """window.tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration)))
    .observe({ type: 'longtask', buffered: true });"""
BYTES_PER_SECOND = 400_000 / 8
LATENCIES = 100, 400
WATCH = """
performance.setResourceTimingBufferSize(1000);
new MutationObserver((_, watch) => {
  if (document.querySelector('input[type=range]')) { performance.mark('sliders'); watch.disconnect(); }
}).observe(document, { childList: true, subtree: true });
"""
TIMES = """() => Object.fromEntries(['paint', 'mark'].flatMap((kind) => performance.getEntriesByType(kind))
  .map((entry) => [entry.name, entry.startTime / 1000]))"""
SAVE = """async (range) => {
  const begun = performance.now(), state = document.getElementById('state');
  range.click();
  while (state.className !== 'saved') await new Promise((done) => setTimeout(done, 5));
  return (performance.now() - begun) / 1000;
}"""


def rows(settings: Settings) -> Iterator[Row]:
    """The survey's pages, each with its bytes and times."""
    try:
        from playwright.sync_api import Error, sync_playwright

        with sync_playwright() as started:
            browser = started.chromium.launch(
                executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
            )
            for latency in LATENCIES[: 1 if settings.tiny else None]:
                for script in (True, False):
                    yield from _survey(browser, latency, script=script)
            yield from _comparison(browser, settings)
            browser.close()
    except (ImportError, Error) as missing:
        yield Row("pages", "in Chromium", skipped=str(missing).splitlines()[0])


class SlowTab:
    """A tab behind a slow line."""

    def __init__(self, browser: Any, latency: int, *, script: bool) -> None:
        self.tab = browser.new_context(locale="en", java_script_enabled=script).new_page()
        self.tab.add_init_script(WATCH)
        self._lengths: list[float] = []
        devtools = self.tab.context.new_cdp_session(self.tab)
        devtools.send("Network.enable")
        devtools.on(
            "Network.loadingFinished", lambda e: self._lengths.append(e["encodedDataLength"])
        )
        devtools.send("Network.emulateNetworkConditions", {
            "offline": False, "latency": latency, "downloadThroughput": BYTES_PER_SECOND,
            "uploadThroughput": BYTES_PER_SECOND,
        })  # fmt: skip

    def page(self, case: str, way: str, lead: Any) -> Row:
        """What it takes until a page is painted to which this leads."""
        self._lengths.clear()
        with self.tab.expect_navigation(wait_until="networkidle"):
            lead()
        self.tab.wait_for_timeout(300)
        times = self.tab.evaluate(TIMES)
        return Row(case, way, times.get("first-paint"), {
            "contents painted s": times.get("first-contentful-paint"),
            "sliders s": times.get("sliders"), "kB": sum(self._lengths) / 1000,
            "requests": len(self._lengths),
        }, clock="wall")  # fmt: skip


def _survey(browser: Any, latency: int, *, script: bool) -> Iterator[Row]:
    case = f"survey, {latency} ms{'' if script else ', no JavaScript'}"
    with tempfile.TemporaryDirectory() as folder, SurveyStore(f"{folder}/survey.db") as store:
        app = survey_app(store, store.save(partial(open_study, form=read_form("group_traits"))))
        with served(app) as address:
            slow = SlowTab(browser, latency, script=script)
            click = slow.tab.click
            yield slow.page(case, "welcome", partial(slow.tab.goto, address))
            yield slow.page(case, "consent", partial(click, "a.button"))
            yield slow.page(case, "instructions", partial(click, "button[value=yes]"))
            with slow.tab.expect_navigation(wait_until="networkidle"):
                click("a.button")
            slow.tab.locator("[type=radio]").first.check()  # the country
            yield slow.page(case, "first page of sliders", partial(click, "form button"))
            if script:
                saves = [slider.evaluate(SAVE) for slider in slow.tab.locator("[type=range]").all()]
                yield Row(case, "save an answer, mean of 16", mean(saves), clock="wall")
            else:
                for field in slow.tab.locator(".typed input").all():
                    field.fill("50")
            yield slow.page(case, "second page of sliders", partial(click, "form button"))
            slow.tab.context.close()


def _comparison(browser: Any, settings: Settings) -> Iterator[Row]:
    count = settings.pairs or (60 if settings.tiny else CONTEXTS)
    case = f"comparison of 3 models on {count:,} contexts"
    columns = ["id", "context", "stereotype", "anti_stereotype", "unrelated", "target", "domain"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        domains = ([*row, f"domain {int(str(row[-1]).split()[-1]) % 4}"]
                   for *row, _ in islice(_triples(), count))  # fmt: skip  # each term has one
        _table(folder / "triples.csv", columns, domains)
        for model in ("masked", "causal", "level"):
            _seconds(["run", "stereoset", f"fake:{model}", "--data", "triples.csv"], folder)
        runs = [f"runs/{run.name}" for run in sorted((folder / "runs").iterdir())]
        _seconds(["compare", *runs], folder)  # fills the file cache
        turns = [_seconds(["compare", *runs], folder) for _ in range(1 if settings.tiny else 5)]
        (page,) = folder.glob("runs/compare-*/report.html")
        walls, processor = (median(column) for column in zip(*turns, strict=True))
        size = page.stat().st_size / 1e6
        values = {"processor seconds": processor, "MB": size}
        yield Row(case, "tiltmeter compare", walls, values, clock="wall")
        for way, file in (("open", page), ("open the page of a run", folder / runs[0] / page.name)):
            for width in WIDTHS:
                yield _opened(browser, case, f"{way}, {width} wide", file, width)


def _opened(browser: Any, case: str, way: str, page: Path, width: int) -> Row:
    with browser.new_context(viewport={"width": width, "height": 800}) as context:
        tab = context.new_page()
        tab.add_init_script(TASKS)
        tab.goto(page.as_uri())
        tab.wait_for_timeout(300)
        painted = tab.evaluate(TIMES)["first-contentful-paint"]
        return Row(case, way, painted, tab.evaluate(OPENED), clock="wall")
