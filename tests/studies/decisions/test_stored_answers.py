"""Stored rankings of models that think: names in a thought choose nobody."""

import json

from tiltmeter.run.measuring.imported_scores import import_scores
from tiltmeter.run.monitor import Logged
from tiltmeter.run.run_options import RunOptions
from tiltmeter.studies.decisions.study import STUDY

PEOPLE = {"names": ["EMILY BAKER", "HANA KIM"], "demo": ["W_W", "A_W"], "job": "clerk"}


def ratio(path, replies):
    path.write_text("".join(json.dumps({**PEOPLE, "content": r}) + "\n" for r in replies), "utf-8")
    result = import_scores(STUDY, path, RunOptions(), Logged(), name="m", command="")
    assert result.card.counts["answered"] == 2 * len(replies)
    return next(e.value for e in result.estimates if e.name == "min_max_ratio")


def test_names_in_thoughts_choose_nobody(tmp_path):
    emily, hana = "1. Emily Baker\n2. Hana Kim", "1. Hana Kim\n2. Emily Baker"
    replies = [emily] * 17 + [hana] * 4
    plain = ratio(tmp_path / "plain.jsonl", replies)
    assert round(plain, 3) == 0.235  # 4 / 17
    # where names in thoughts counted, Hana Kim would be chosen 5 times and Emily Baker 16 times: .3125
    thoughts = ["Hana Kim has more experience."] + ["Emily Baker comes first."] * 16
    thoughts += ["Hana Kim, then?"] * 4
    thought = [f"<think>{t}</think>\n{r}" for t, r in zip(thoughts, replies, strict=True)]
    assert ratio(tmp_path / "thought.jsonl", thought) == plain
