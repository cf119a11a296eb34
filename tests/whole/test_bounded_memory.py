"""What a further item costs in memory, on every way from a file to estimates."""

import csv
import gc
import itertools
import tracemalloc

import pytest

import tiltmeter as tm
from tiltmeter.core.finder import find
from tiltmeter.data.memory import spool
from tiltmeter.derived.comparisons.compare import compare_all
from tiltmeter.run.measuring import portions
from tiltmeter.run.measuring.imported_scores import import_scores
from tiltmeter.run.monitor import Logged
from tiltmeter.run.run_options import RunOptions

FEW, MANY = 2_000, 4_000
MOST = {"run": 200, "import": 200, "triples": 500, "ensemble": 600, "compare": 150}
"""Bytes by which the peak may grow with each further item."""
MINUTES = {"run", "triples", "ensemble"}
"""Those that take so long."""
NAMES = ("Ann", "Bob", "Cal", "Dee", "Eve", "Fay", "Gus", "Hal")
WORKS = ("cooks", "reads", "sings", "walks", "paints", "writes", "waits")
PLACES = ("home", "school", "work", "church", "sea", "lake", "town", "farm")
TIMES = ("today", "daily", "again", "alone", "early", "late", "now")


def sentences(n):
    """So many different texts of few words."""
    numbered = itertools.product(NAMES, WORKS, PLACES, TIMES, NAMES)
    for name, work, place, time, other in itertools.islice(numbered, n):
        yield f"{name} the {{}} person {work} near the {place} {time} with {other}."


def written(path, columns, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(columns)
        table.writerows(rows)
    return path


def pairs_file(path, n, *, scored=False):
    columns = ["id", "sent_more", "sent_less", "bias_type", "sent_more_score", "sent_less_score"]
    rows = (
        (f"item-{i}", text.format("old"), text.format("young"), ("age", "work")[i % 2],
         -float(i % 17), -float(i % 13))
        for i, text in enumerate(sentences(n))
    )  # fmt: skip
    shown = len(columns) if scored else 4
    return written(path, columns[:shown], (row[:shown] for row in rows))


def triples_file(path, n):
    columns = ["id", "context", "stereotype", "anti_stereotype", "unrelated", "target", "domain"]
    rows = (
        (f"item-{i}", text.format("BLANK"), "old", "young", "round", f"term {i % 9}", "age")
        for i, text in enumerate(sentences(n))
    )
    return written(path, columns, rows)


def imported(folder, n, name="m"):
    file = pairs_file(folder / f"{name}-{n}.csv", n, scored=True)
    study = find("studies", "pairs", "STUDY")
    return import_scores(study, file, RunOptions(), Logged(), name=name, command="")


def work(way, folder, n):
    """What is measured: a function without arguments."""
    if way == "run":
        file = pairs_file(folder / f"{n}.csv", n)
        return lambda: tm.run("pairs", "fake:masked", data=file, rule="aul")
    if way == "import":
        return lambda: imported(folder, n)
    if way == "compare":
        both = [imported(folder, n, name) for name in ("m", "n")]
        return lambda: compare_all(both, seed=0)
    model = "fake:causal" if way == "triples" else "ensemble:fake:causal=1+fake=2"
    file = triples_file(folder / f"{n}.csv", n)
    return lambda: tm.run("stereoset", model, data=file)


def peak_of(measured):
    gc.collect()
    tracemalloc.start()
    try:
        kept = measured()
        assert kept is not None
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "way",
    [
        pytest.param(way, marks=pytest.mark.long if way in MINUTES else pytest.mark.slow)
        for way in MOST
    ],
)
def test_a_further_item_costs_few_bytes(way, tmp_path, monkeypatch):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(portions, "ITEMS", 100)
    monkeypatch.setattr(spool, "PORTION", 32)
    monkeypatch.setitem(spool.Spool.__init__.__kwdefaults__, "kept", 32)
    work(way, tmp_path, FEW)()  # what is made once
    few, many = (peak_of(work(way, tmp_path, n)) for n in (FEW, MANY))
    assert (many - few) / (MANY - FEW) < MOST[way]
