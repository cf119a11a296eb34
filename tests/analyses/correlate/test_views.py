"""The heat map of correlations, and names that are markup."""

import re

import numpy as np

from analyses.correlate.examples import FOUR, SEVEN, correlated, table
from tiltmeter.report.plots.correlation_heat import MOST


def test_one_pair_has_no_heat_map(tmp_path):
    assert correlated(tmp_path, SEVEN).plots == ["pair-1"]
    assert correlated(tmp_path, FOUR).plots == ["correlations", "pair-1", "pair-2", "pair-3"]


def test_of_many_measures_the_caption_says_how_many_are_drawn(tmp_path):
    rng = np.random.default_rng(0)
    columns = {f"m{i}": rng.normal(size=5).tolist() for i in range(MOST + 4)}
    (heat,) = correlated(tmp_path, columns).document().leading
    assert "Drawn are the 24 of 28 with the strongest." in heat.caption


def test_hostile_names_stay_text(tilt, tmp_path):
    file = table(tmp_path, "model,<b>x</b>\x1b[31m,y\n" + "".join(
        f"<i>{m}</i>,{v},{w}\n" for m, v, w in zip("abcd", (1, 3, 2, 4), (2, 1, 5, 3), strict=True)
    ))  # fmt: skip
    code, out, _ = tilt("analyse", "correlate", "--table", file)
    assert code == 0 and "\x1b" not in out
    text = next(tmp_path.glob("runs/*/report.html")).read_text("utf-8")
    assert "<b>x" not in text and "<i>a" not in text and "\x1b" not in text
    assert "&lt;b&gt;x&lt;/b&gt;" in text
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(ids) == len(set(ids))
