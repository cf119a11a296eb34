"""Tables of many runs, and the numbers of papers beside theirs."""
