"""From items to records and estimates: scoring with a rule, columns of scores, ensembles, imported scores."""
