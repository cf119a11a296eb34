"""What fault tests compare with: pairs to ask about, and the files of a run."""

import csv
import json
import sqlite3
from contextlib import closing

from tiltmeter.studies.starter_pairs import STUDY


def write_pairs(path, n=40, first=0, words=6):
    """A file of `n` pairs, numbered from `first`, no two of which share a sentence."""
    tail = " ".join(f"word{i}" for i in range(words))
    return _write(path, [
        (f"p{i}", *(f"the {who} number {i} has {i * 7} {tail}" for who in ("grandpa", "student")), "age")
        for i in range(first, first + n)
    ])  # fmt: skip


def write_starters(path, n):
    """A file of `n` of the starter pairs, whose words small networks know."""
    items = STUDY.load(None, skip_invalid=False, encoding="").items[:n]
    return _write(path, [(p.id, p.more, p.less, p.groups["bias_type"]) for p in items])


def stored_answers(store):
    """How many answers a store has by now; 0 while there is none that can be read."""
    try:
        with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as db:
            return db.execute("SELECT COUNT(*) FROM answers").fetchone()[0]
    except sqlite3.Error:
        return 0


def _write(path, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("id", "sent_more", "sent_less", "bias_type"))
        writer.writerows(rows)
    return path


def files(runs):
    """The content of the one run folder in `runs`, by name; of the card all but times."""
    (folder,) = runs.iterdir()
    found = {file.name: file.read_bytes() for file in folder.iterdir()}
    card = json.loads(found.pop("card.json"))
    del card["run"]
    return found | {"card.json": card}


def card(runs):
    """The card of the one run folder in `runs`."""
    (folder,) = runs.iterdir()
    return json.loads((folder / "card.json").read_text("utf-8"))
