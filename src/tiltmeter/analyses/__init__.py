"""One file an analysis of finished runs or of people's answers; each has an ANALYSIS.

Beside it `NAME.toml` declares its texts, tables and pictures (`core.analysis_file`), and of a large one
`_NAME_sentences` has what it says.
"""
