"""items: which items of a benchmark tell models apart, and how well all of them do."""
