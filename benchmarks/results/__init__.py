"""What was measured: one JSON file a run, and the table and the plot that are made of them.

`python -m benchmarks --keep` writes a file here; `python -m benchmarks.results` prints the newest one as
Markdown and draws every ratio over all files.
"""
