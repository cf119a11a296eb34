"""What a store tells."""


def told(store):
    """Model, answers, bytes: of a one-number answer 8, its checksum 4, and the key."""
    return [(kept.name, kept.answers, kept.bytes) for kept in store.summary()]
