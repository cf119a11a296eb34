"""Running text and labelled texts: corpora, frequencies, cleaning, identity swaps."""
