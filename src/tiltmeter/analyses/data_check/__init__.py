"""data_check: what a data set holds: composition, checks, wording, and what annotators said."""
