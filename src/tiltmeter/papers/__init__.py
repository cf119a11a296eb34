"""Papers whole: every table and figure from runs and stored outputs, with the published numbers beside.

`NAME.toml` says what a paper needs and how its tables are laid out; `paper_file` reads it, `sources` gets the
results, `cells` places numbers and judges them, and `replication` makes of it all one result.
"""
