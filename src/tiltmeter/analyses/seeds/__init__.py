"""seeds: numbers of one model over several seeds of its training."""
