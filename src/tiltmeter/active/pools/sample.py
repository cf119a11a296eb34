"""A made-up pool: 240 remarks about meals, rated by 12 made-up people; it comes with the package.

How far people disagree depends on the words: `spicy` and `quiet` please some and not others.
"""

from itertools import product

import numpy as np

from tiltmeter.active.vote_sources import VoteCollection
from tiltmeter.active.votes import VotePool

DISHES = ("soup", "bread", "curry", "salad", "cake", "stew", "rice", "pie")
KITCHEN = {"lovely": 1.4, "fresh": 1.0, "spicy": 0.0, "plain": -0.4, "cold": -1.0, "burnt": -1.6}
ROOM = {"warm": 0.6, "quiet": 0.0, "loud": -0.3, "dirty": -1.2, "crowded": -0.4}
DIVIDES = {"spicy": 1.6, "quiet": 1.2}
"""How much more people differ about these words."""
LABELS = ("bad", "fair", "good")
PEOPLE, VOTES, SEED = 12, 6, 20


def read() -> VotePool:
    """Six votes on each remark, with K = 3 ordered labels."""
    rng = np.random.default_rng(SEED)
    collection = VoteCollection("sample")
    taste = {word: rng.normal(size=PEOPLE) for word in sorted(DIVIDES)}
    for number, (dish, how, room) in enumerate(product(DISHES, KITCHEN, ROOM)):
        text = f"The {dish} was {how}, and the room was {room}."
        for person in rng.choice(PEOPLE, VOTES, replace=False):
            personal = sum(DIVIDES[w] * taste[w][person] for w in (how, room) if w in DIVIDES)
            value = KITCHEN[how] + ROOM[room] + personal + 0.5 * rng.normal()
            label = LABELS[int(np.digitize(value, (-0.7, 0.7)))]
            collection.add(f"r{number:03}", text, f"p{person:02}", label)
    return collection.pool(LABELS, ordered=True)
