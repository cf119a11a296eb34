"""active report: what finished runs of active learning say, and about the claims of a paper."""
