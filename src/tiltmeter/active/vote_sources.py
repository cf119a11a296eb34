"""Where pools of votes come from: published data sets, of which the user has a copy, and tables of users."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from tiltmeter.active.votes import NamedVote, VotePool, vote_pool
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.data.downloads.registry import locate
from tiltmeter.data.files.rows import Cell, FilledCell, FilledText, UserRows
from tiltmeter.data.files.tables import read_table


@dataclass(slots=True)
class VoteCollection:
    """Votes of a published data set; of several votes of one annotator on an item, the first counts."""

    name: str
    texts: dict[str, str] = field(default_factory=dict)
    votes: dict[tuple[str, str], NamedVote] = field(default_factory=dict)
    repeated: int = 0

    def add(self, item: str, text: str, annotator: str, label: str) -> None:
        """Add a vote, unless the annotator has voted on the item before."""
        self.texts.setdefault(item, text)
        vote = NamedVote(item, annotator, label)
        self.repeated += self.votes.setdefault((item, annotator), vote) is not vote

    def pool(self, labels: Iterable[str], *, ordered: bool = False) -> VotePool:
        """All of it; votes that were left out are noted."""
        note = f"{self.repeated} further votes of an annotator on the same item are left out."
        return vote_pool(
            self.name, self.texts, self.votes.values(), labels=tuple(labels), ordered=ordered,
            notes=[note] if self.repeated else (),
        )  # fmt: skip


def rows_of(path: Path, *columns: str) -> Iterable[dict[str, str]]:
    """The rows of a verified table as text, with these columns among others."""
    for row in read_table(path, required=columns, known=None).rows:
        yield {name: "" if v is None else str(v).strip() for name, v in row.cells.items()}


def lewidi_pool(
    name: str, labels: str, *, ordered: bool = False, text_of: Callable[[Any], str] = str
) -> VotePool:
    """A registered set in the JSON of the shared tasks Learning With Disagreements (LeWiDi).

    Items are named after the file's part and key, as keys begin anew in each part. Labels are single
    characters; `text_of` makes the text of an item from what the file has as its text.
    """
    collection = VoteCollection(name)
    for path, file in locate(name).files.items():
        part = PurePosixPath(path).stem.rpartition("_")[2]
        if part not in {"train", "dev", "test"}:
            continue
        for key, entry in json.loads(file.read_text("utf-8")).items():
            given = entry["annotations"]
            if isinstance(given, str):
                people = entry["annotators"].split(",")
                # Reversed, so that of somebody who is there twice the first label is kept.
                given = dict(zip(reversed(people), reversed(given.split(",")), strict=True))
            for person, label in given.items():
                collection.add(f"{part}-{key}", text_of(entry["text"]), person, label)
    return collection.pool(labels, ordered=ordered)


def _convabuse() -> VotePool:
    """ConvAbuse (Cercas Curry et al. 2021): turns of users to chatbots, abuse from 1 (none) to −3.

    Turns with the same four utterances are one item.
    """
    collection, labels = VoteCollection("convabuse"), ("-3", "-2", "-1", "0", "1")
    utterances = ("prev_agent", "prev_user", "agent", "user")
    columns = [f"is_abuse.{label}" for label in labels]
    for row in rows_of(locate("convabuse").file, "annotator_id", *utterances, *columns):
        text = "\n".join(row[name] for name in utterances)
        (label,) = (known for known in labels if row[f"is_abuse.{known}"] == "1")
        collection.add(text, text, row["annotator_id"], label)
    return collection.pool(labels, ordered=True)


def _crehate(name: str, labels: str) -> VotePool:
    """CREHate (Lee et al. 2024): English posts, hate or not, at least 25 votes each from five countries.

    The label 2 is in the file and not documented; `crehate` has it as a label as the others.
    """
    votes, texts = (
        locate("crehate").files[f"crehate/CREHate_{f}_annotations.csv"] for f in ("raw", "final")
    )
    text = {row["ID"]: row["Text"] for row in rows_of(texts, "ID", "Text")}
    collection = VoteCollection(name)
    for row in rows_of(votes, "ID", "annotator_id", "annotation"):
        if row["annotation"] in {*labels}:
            collection.add(row["ID"], text[row["ID"]], row["annotator_id"], row["annotation"])
    return collection.pool(labels)


def _davidson() -> VotePool:
    """Davidson et al. 2017: tweets with how many votes each label has."""
    labels, texts, votes = ("hate_speech", "offensive_language", "neither"), {}, []
    for row in rows_of(locate("davidson").file, "tweet", *labels):
        item = row[""]
        texts[item] = row["tweet"]
        votes += [NamedVote(item, None, label) for label in labels for _ in range(int(row[label]))]
    return vote_pool("davidson", texts, votes, labels=labels)


def _popquorn() -> VotePool:
    """POPQUORN, offensiveness (Pei and Jurgens 2023): comments rated from 1 (not offensive) to 5."""
    collection = VoteCollection("popquorn")
    for row in rows_of(locate("popquorn").file, "instance_id", "user_id", "text", "offensiveness"):
        label = row["offensiveness"].removesuffix(".0")
        collection.add(row["instance_id"], row["text"], row["user_id"], label)
    return collection.pool("12345", ordered=True)


DISHES = ("soup", "bread", "curry", "salad", "cake", "stew", "rice", "pie")
KITCHEN = {"lovely": 1.4, "fresh": 1.0, "spicy": 0.0, "plain": -0.4, "cold": -1.0, "burnt": -1.6}
ROOM = {"warm": 0.6, "quiet": 0.0, "loud": -0.3, "dirty": -1.2, "crowded": -0.4}
DIVIDES = {"spicy": 1.6, "quiet": 1.2}
"""How much more people differ about these words."""


def sample_pool() -> VotePool:
    """A made-up pool: 240 remarks about meals, each rated by 6 of 12 made-up people.

    How far people disagree depends on the words: `spicy` and `quiet` please some and not others.
    """
    rng, people, labels = np.random.default_rng(20), 12, ("bad", "fair", "good")
    collection = VoteCollection("sample")
    taste = {word: rng.normal(size=people) for word in sorted(DIVIDES)}
    for number, (dish, how, room) in enumerate(product(DISHES, KITCHEN, ROOM)):
        text = f"The {dish} was {how}, and the room was {room}."
        for person in rng.choice(people, 6, replace=False):
            personal = sum(DIVIDES[w] * taste[w][person] for w in (how, room) if w in DIVIDES)
            value = KITCHEN[how] + ROOM[room] + personal + 0.5 * rng.normal()
            label = labels[int(np.digitize(value, (-0.7, 0.7)))]
            collection.add(f"r{number:03}", text, f"p{person:02}", label)
    return collection.pool(labels, ordered=True)


POOLS: Mapping[str, Callable[[], VotePool]] = {
    "convabuse": _convabuse,
    "crehate": partial(_crehate, "crehate", "012"),
    "crehate_two_labels": partial(_crehate, "crehate_two_labels", "01"),
    # Sarcasm in conversations (Jang and Frassinelli 2024), from 1 to 6; the training part is left out.
    "csc": partial(
        lewidi_pool, "csc", "123456", ordered=True,
        text_of=lambda text: f"{text['context']}\n{text['response']}",
    ),
    "davidson": _davidson,
    # Akhtar et al. 2021: tweets, hate speech or not, by the same six people.
    "hs_brexit": partial(lewidi_pool, "hs_brexit", "01"),
    # Leonardelli et al. 2021: tweets, offensive or not, five votes each.
    "md_agreement": partial(lewidi_pool, "md_agreement", "01"),
    "popquorn": _popquorn,
    "sample": sample_pool,
}  # fmt: skip
"""Published pools and a made-up one by their names."""


def open_pool(source: str, *, labels: tuple[str, ...] = (), ordered: bool = False) -> VotePool:
    """A pool by its name in `POOLS`, or a user's table of votes (`read_votes`) by its path.

    Raises:
        UnknownName: Neither a pool nor a file has this name.
        BadInput: The file cannot be used.
        Unavailable: The data set is not on this machine.
    """
    if source in POOLS:
        return POOLS[source]()
    if not Path(source).is_file():
        raise UnknownName("pool of votes or file", source, POOLS)
    return read_votes(Path(source), labels=labels, ordered=ordered)


@dataclass(frozen=True, slots=True)
class _VoteRow:
    item: FilledText
    text: FilledText
    label: FilledCell
    annotator: Cell = ""


def read_votes(path: Path, *, labels: tuple[str, ...] = (), ordered: bool = False) -> VotePool:
    """Read a table with one row per vote: item, text, annotator (may be missing), label.

    The labels, from low to high if they are ordered, are by default those that occur.

    Raises:
        BadInput: The file cannot be read or lacks a column, or the pool is too small.
        BadItems: Rows that are incomplete or contradict an earlier row; all of them.
    """
    rows = UserRows(_VoteRow, path)
    texts: dict[str, str] = {}
    votes: list[NamedVote] = []
    seen: set[tuple[str, str]] = set()
    for line, row in rows:
        if texts.setdefault(row.item, row.text) != row.text:
            reason = f"{row.item} has another text in an earlier row"
            rows.complain(line, reason, "use another name")
        elif row.annotator and (row.item, row.annotator) in seen:
            reason = f"{row.annotator} votes on {row.item} a second time"
            rows.complain(line, reason, "keep one of the rows")
        else:
            seen.add((row.item, row.annotator))
            votes.append(NamedVote(row.item, row.annotator or None, row.label))
    rows.finish()
    with_annotator = sum(vote.annotator is not None for vote in votes)
    if 0 < with_annotator < len(votes):
        reason = f"{len(votes) - with_annotator} votes name no annotator, and {with_annotator} do"
        raise BadInput(reason, "name all, or remove the column", file=rows.file)
    return vote_pool(path.stem, texts, votes, labels=labels, ordered=ordered, notes=rows.notes)
