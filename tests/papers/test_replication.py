"""A paper as a result: its counts of printed numbers by status."""

import json

from papers.starter_paper import STARTER, write
from support.command_line import own_cache, tilt

__all__ = ["own_cache", "tilt"]

PRINTED = STARTER.replace("[[item]]", """
[models.gone]
called = "roberta-base"
why = "nobody has it"
[runs.sos]
study = "sos"
[[item]]
name = "T2"
title = "SOS"
of = ["sos"]
rows = ["model"]
columns = ["attribute", "status"]
measures = ["sos_rate"]
published = ["elsafoury2023_sos"]
[[item]]""", 1)  # fmt: skip


def test_what_needs_only_models_is_counted_apart(tilt, tmp_path):
    """Table 2 has eleven numbers of each of three models: one can be run, one has no way to be opened."""
    words = ("replicate", write(tmp_path, PRINTED), "--select", "T2", "--json")
    code, out, err = tilt(*words, "--out", tmp_path / "out")
    assert code == 0, err
    of = {e["name"]: e["value"] for e in json.loads(out)["estimates"] if not e.get("groups")}
    assert (of["published_numbers"], of["not_computable"], of["need_only_models"]) == (33, 33, 11)
    unlike = PRINTED.replace(
        'rows = ["model"]', 'rows = ["model"]\nunlike = [{ why = "other words" }]'
    )
    words = (
        "replicate",
        write(tmp_path, unlike),
        "--select",
        "T2",
        "--fail-if",
        "need_only_models > 0",
    )
    assert tilt(*words, "--out", tmp_path / "out")[0] == 0
