"""Active learning where annotators may disagree: which item gets the next vote, and from whom.

A pool of items with votes (`votes`), someone who gives the votes (`oracle`), a model of label distributions
(`heads`), what to ask next (`strategies`), and the loop that joins them (`loop`).
"""
