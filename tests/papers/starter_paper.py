"""A paper of starter pairs, as its file."""

STARTER = """
title = "Mine"
source = "me"
[models.paper]
called = "bert-base-uncased"
reference = "google-bert/bert-base-uncased"
[runs.pairs]
study = "starter_pairs"
[analyses.together]
analysis = "correlate"
of = ["pairs"]
over = "groups"
[[item]]
name = "T1"
title = "Kinds of bias"
of = ["pairs"]
rows = ["bias_type"]
columns = ["model"]
measures = ["stereotype_rate"]
[[item]]
name = "F1"
title = "How surely"
of = ["pairs"]
blocks = ["confidence"]
[[item]]
name = "F2"
title = "Together"
of = ["together"]
blocks = ["correlations"]
"""


def write(tmp_path, text):
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    return path
