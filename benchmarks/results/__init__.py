"""What was measured: one JSON file a run, and the table and the plot that are made of them.

`python -m benchmarks --keep` writes a file here; `python -m benchmarks.results` prints the
newest ratio of every task in Markdown and draws all of them over all files.
"""
