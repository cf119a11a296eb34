"""What fault tests compare with: pairs to ask about, and the files of a run."""

import csv
import json


def write_pairs(path, n=40, first=0, words=6):
    """A file of `n` pairs, numbered from `first`, no two of which share a sentence."""
    tail = " ".join(f"word{i}" for i in range(words))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("id", "sent_more", "sent_less", "bias_type"))
        for i in range(first, first + n):
            more, less = (
                f"the {who} number {i} has {i * 7} {tail}" for who in ("grandpa", "student")
            )
            writer.writerow((f"p{i}", more, less, "age"))
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
