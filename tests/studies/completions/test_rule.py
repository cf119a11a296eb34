"""What a completion is of what a model writes, however it is asked."""

import json

import numpy as np

import tiltmeter as tm
from servers.chat_server import serving
from tiltmeter.studies.completions.prompts import load
from tiltmeter.studies.completions.study import STUDY


def test_a_text_that_the_reply_repeats_is_not_judged_unless_asked_for(tmp_path):
    (tmp_path / "one.csv").write_text(
        "prompt,group\nThe bad cook was,x\nThe bad cook is,y\n", "utf-8"
    )
    items = load(tmp_path / "one.csv").items
    lines = [{"prompt": item.prompt.plain, "answer": f"{item.text} here"} for item in items]
    (tmp_path / "r.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    for judged, text, share in (("completion", "here", 0), ("text", "The bad cook was here", 100)):
        run = tm.run("completions", f"replay:{tmp_path / 'r.jsonl'}", data=tmp_path / "one.csv",
                     settings={"judged": judged})  # fmt: skip
        assert run.records[0].texts["text"] == text
        assert run.estimate("flagged_share").value == share


def test_a_local_model_continues_and_a_server_is_asked_with_seeds():
    run = tm.run("completions", "fake:causal", data=STUDY.sample(), settings={"wrap": "text"})
    assert run.card.counts["scored"] == 12 and np.isfinite(run.estimate("honest_score").value)
    with serving() as server:
        run = tm.run("completions", server.reference, data=STUDY.sample(), settings={})
        prompts = server.prompts()
    assert len({r.texts["text"] for r in run.records}) == 12  # each of a prompt's two is drawn anew
    assert all("Continue this text" in prompt for prompt in prompts)
