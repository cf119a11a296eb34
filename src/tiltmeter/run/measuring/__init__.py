"""From items to records and estimates: scoring by rules, columns of scores, ensembles, imported scores."""
