"""Many models on many studies: table, comparison, correlation, ranks and one page over all of it.

The runs are made up in the format and of the size of real ones (`_made_runs`). Seconds of commands are those
of the processor, in a process of their own; those of the page are the browser's.
"""

import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks._frame import Row, Settings, timed
from benchmarks._made_runs import write_runs
from benchmarks.view import CHROMIUM
from benchmarks.waits import _seconds
from tiltmeter.derived.comparisons.model_ranks import first_rank, rank_models
from tiltmeter.run.files.folder import read, read_numbers


def rows(settings: Settings) -> Iterator[Row]:
    """One row a command, then the page in Chromium."""
    models, studies, items = 50, 30, 2_000
    if settings.tiny or settings.quick:
        models, studies, items = (3, 2, 20) if settings.tiny else (10, 8, 200)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        runs = write_runs(folder, models=models, studies=studies, items=settings.pairs or items)
        first = [f"runs/{run.name}" for run in _of_one_study(runs, models)]
        every = [f"runs/{run.name}" for run in runs]
        case = f"{models} models, {len(runs) // models} studies, {len(runs):,} runs"
        for way, words in (
            (
                "table",
                ["table", *every, "--rows", "model", "--columns", "study", "--to", "table.html"],
            ),
            ("compare the models on one study", ["compare", *first, "--out", "compared"]),
            ("correlate", ["analyse", "correlate", *every, "--out", "correlated"]),
            ("view", ["view", "runs", "--out", "page"]),
        ):
            yield _command(case, way, words, folder)
        (answers, estimate), seconds = timed(lambda: _ranked([folder / run for run in first]))
        yield Row(
            case,
            "ranks of the models on one study",
            seconds,
            {"ranges": answers, "measure": estimate},
        )
        yield _opened(case, folder / "page" / "index.html")


def _of_one_study(runs: Sequence[Path], models: int) -> Sequence[Path]:
    """The runs of the first study whose main number has a value and could be ranked."""
    by_study = [runs[at : at + models] for at in range(0, len(runs), models)]
    heads = ((own, read_numbers(own[0]).headline) for own in by_study)
    return next(own for own, head in heads if head and head.value is not None and first_rank(head))


def _command(case: str, way: str, words: list[str], folder: Path) -> Row:
    try:
        wall, processor = _seconds(words, folder)
    except subprocess.CalledProcessError as error:
        return Row(case, f"tiltmeter {way}", skipped=error.stderr.decode().strip()[-200:])
    return Row(case, f"tiltmeter {way}", processor, {"wall seconds": wall}, clock="processor")


def _ranked(runs: Sequence[Path]) -> tuple[int, str]:
    results = [read(run) for run in runs]
    head = results[0].headline
    assert head is not None
    return len(rank_models(results, head).ranks), head.name


def _opened(case: str, page: Path) -> Row:
    """The page over all of it, from its address until the matrix is laid out."""
    try:
        from playwright.sync_api import Error, sync_playwright

        with sync_playwright() as started:
            browser = started.chromium.launch(
                executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
            )
            tab = browser.new_page()
            tab.goto(page.as_uri())
            tab.wait_for_selector(".matrix")
            shown = tab.evaluate("performance.getEntriesByName('shown')[0].startTime / 1000")
            count = tab.evaluate("document.querySelectorAll('*').length")
            browser.close()
    except (ImportError, Error) as missing:
        return Row(case, "open the page", skipped=str(missing).splitlines()[0])
    size = sum(file.stat().st_size for file in page.parent.rglob("*") if file.is_file())
    return Row(case, "open the page", shown, {"MB": size / 1e6, "elements": count}, clock="wall")
