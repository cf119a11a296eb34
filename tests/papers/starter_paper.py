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

DERIVING = (
    STARTER
    + """
[[item]]
name = "section 2"
title = "Counts"
rows = ["what"]
[[item.derived]]
statistic = "count"
over = "row"
at = { what = "at least half" }
at_least = 0.5
of = { table = "votes.csv", columns = "race" }
[[item.derived]]
statistic = "count"
over = "row"
at = { what = "rows with a word" }
of = { table = "votes.csv", columns = ["text", "other"], contains = "tree" }
[[item]]
name = "section 3"
title = "Mean rate over kinds of bias"
rows = ["model"]
[[item.derived]]
statistic = "mean"
over = "bias_type"
by = "model"
complete = false
of = { item = "T1" }
"""
)
VOTES = "text,other,race\na tree,,0\nno,tree trunk,.5\nno,no,1\nno,,\n"


def write(tmp_path, text):
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    return path
