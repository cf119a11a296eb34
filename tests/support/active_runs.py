"""Folders of made-up runs, written without any training, and a pool of people with opinions of their own."""

import numpy as np

from tiltmeter.active.encoders.encoder_training import EncoderTraining
from tiltmeter.active.predictor import RunItems, TrainingVotes
from tiltmeter.active.run_files import RunFiles, RunManifest, VoteQuery
from tiltmeter.active.votes import NamedVote, VotePool, vote_pool

GRID = tuple(range(100, 1001, 100))
ITEMS = 12
ENTROPY = 0.3
"""Of the made-up held-out votes."""
FULL = {"log_loss": 0.5 + ENTROPY, "excess_log_loss": 0.5, "js_nats": 0.4}


def loss(votes, scale):
    """Falls from .8 towards .5; one that falls twice as fast needs half the votes."""
    return 0.5 + 0.3 * np.exp(-votes / scale)


def written(folder, scales, *, seeds=6, noise=0.0005, disagreement=0.6, **settings):
    """Write runs of these strategies, by how slowly their loss falls."""
    pool = {"name": folder.name, "sha256": "0" * 64, "items": 50, "votes": 2000,
            "annotators": 9, "disagreement": disagreement}  # fmt: skip
    known = {"entropy_items": 20, "votes_each": 5} | settings
    RunManifest(
        pool, ("no", "yes"), known, GRID, {"tiltmeter": "0"}, tuple(scales), tuple(range(seeds))
    ).write(folder)
    for number, (name, scale) in enumerate(scales.items()):
        for seed in range(seeds):
            _run(RunFiles(folder, name, seed), scale, np.random.default_rng([number, seed]), noise)
    for seed in range(seeds):
        files = RunFiles(folder, "full_data", seed)
        files.start()
        files.measured(2000, FULL)
        files.finish((), np.empty((0, 2)))
    return folder


def _run(files, scale, rng, noise):
    files.start()
    for place, votes in enumerate(GRID):
        value = float(loss(votes, scale) + rng.normal(0, noise))
        asked = (
            {"reannotated": (0.05 + 0.001 * files.seed) * place, "f_ent_above_h": 0.1}
            if place
            else {}
        )
        measures = {
            "log_loss": value + ENTROPY, "excess_log_loss": value, "js_nats": value - 0.1, "floor": 0.02,
            "f_ent_skill": 0.2, "macro_f1": 1 - value,
        }  # fmt: skip
        measures["f_ent_skill"] += 0.01 * files.seed
        files.measured(votes, measures | asked)
    files.add(
        VoteQuery(files.seed, files.strategy, n, f"<i>{n}", None, "no", "=made up", 0.5, 0.6, 0.7)
        for n in range(101, 111)
    )
    mean = float(np.mean([point.measures["log_loss"] for point in files.points]))
    files.finish([f"t{n}" for n in range(ITEMS)], np.full((ITEMS, 2), (mean, mean - 0.1)))


PEOPLE = ("ann", "ben", "cas")
LABELS = ("no", "yes")


def opinions(items: int = 120) -> tuple[VotePool, np.ndarray]:
    """Ann says yes where a text is about cars, Ben where it is not, Cas always: f is known for each."""
    texts = {f"i{n:03}": ("cars" if n % 2 else "nurses") for n in range(items)}
    votes = [
        NamedVote(item, person, LABELS[yes])
        for item, text in texts.items()
        for person, yes in zip(PEOPLE, (text == "cars", text != "cars", True), strict=True)
    ]
    x = np.array([[1.0 if text == "cars" else -1.0] for text in texts.values()])
    return vote_pool("opinions", texts, votes, labels=LABELS), x


def run_items(
    pool: VotePool, x: np.ndarray, encoder: str = "", how: EncoderTraining | None = None
) -> RunItems:
    """All items are training items, and held-out ones as well."""
    return RunItems(pool, x, pool.texts, x, encoder, 0, how or EncoderTraining())


def votes_of(pool: VotePool, kept: np.ndarray) -> TrainingVotes:
    item, label, annotator = pool.item[kept], pool.label[kept], pool.annotator[kept]
    counts = np.zeros_like(pool.counts)
    np.add.at(counts, (item, label), 1)
    return TrainingVotes(counts, np.zeros_like(counts), item, label, annotator)
