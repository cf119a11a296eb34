"""One file an analysis of finished runs or of people's answers; each has an ANALYSIS.

Beside a large one stand `_NAME_views`, how it is shown, and `_NAME_sentences`, what it says.
"""
