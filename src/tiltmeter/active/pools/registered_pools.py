"""Pools of votes that are known by name: published data sets, and a made-up one."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from tiltmeter.active.votes import NamedVote, VotePool, vote_pool
from tiltmeter.core.errors import BadInput
from tiltmeter.data.downloads.registry import locate
from tiltmeter.data.files.rows import label_of
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
    """Read these columns of a verified table as text; whole numbers in Parquet are without ".0"."""
    required = [name for name in columns if name]
    for row in read_table(path, required=required, known=None).rows:
        yield {name: label_of(row.cells.get(name)) for name in columns}


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
    for row in rows_of(locate("davidson").file, "", "tweet", *labels):
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


MHS_SCALES = (
    "sentiment", "respect", "insult", "humiliate", "status", "dehumanize", "violence", "genocide",
    "attack_defend",
)  # fmt: skip
"""Questions of Measuring Hate Speech with five answers each."""


def _mhs(scale: str) -> VotePool:
    """One question of Measuring Hate Speech (Sachdeva et al. 2022): answers 0 to 4, as coded there."""
    collection = VoteCollection(f"mhs_{scale}")
    for row in rows_of(locate("mhs").file, "comment_id", "annotator_id", "text", scale):
        if row[scale]:
            collection.add(row["comment_id"], row["text"], row["annotator_id"], row[scale])
    return collection.pool("01234", ordered=True)


def _wikipedia_talk_toxicity() -> VotePool:
    """Comments on talk pages of Wikipedia (Wulczyn et al. 2017), from very toxic (−2) to very healthy (2)."""
    folder, name = "wikipedia_talk_toxicity", "toxicity_{}.tsv"
    files = locate(folder).files
    comments, annotations = (
        files[f"{folder}/{name.format(kind)}"] for kind in ("annotated_comments", "annotations")
    )
    collection, texts = VoteCollection(folder), {}
    for row in rows_of(comments, "rev_id", "comment"):
        text = row["comment"].replace("NEWLINE_TOKEN", "\n").replace("TAB_TOKEN", "\t").strip()
        texts[_whole(row["rev_id"])] = text
    for row in rows_of(annotations, "rev_id", "worker_id", "toxicity_score"):
        item, label = _whole(row["rev_id"]), _whole(row["toxicity_score"])
        if item not in texts:
            reason = f"it has a vote on comment {item}, which is not in {comments.name}"
            raise BadInput(reason, "give both files of one release", file=annotations.name)
        collection.add(item, texts[item], row["worker_id"], label)
    return collection.pool(("-2", "-1", "0", "1", "2"), ordered=True)


def _whole(number: str) -> str:
    """A number without ".0", and 0 without a sign; what is no whole number is left as it is.

    >>> _whole("2232.0"), _whole("-1.0"), _whole("-0.0"), _whole("?")
    ('2232', '-1', '0', '?')
    """
    whole = number.removesuffix(".0")
    return "0" if whole == "-0" else whole


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


@dataclass(frozen=True, slots=True)
class RegisteredPool:
    """A pool that is known by name."""

    read: Callable[[], VotePool]
    """Reads it; errors are those of `locate`."""
    about: str
    """What is labelled, and how."""
    items: int
    votes: int
    """Sizes as published, also where the data are not on this machine."""
    data: str = ""
    """The registered data set that it is made of; "" for none."""


POOLS: Mapping[str, RegisteredPool] = {
    "convabuse": RegisteredPool(
        _convabuse, "turns of users to chatbots, abuse from 1 (none) to −3", 4052, 12_182, "convabuse"
    ),
    "crehate": RegisteredPool(
        partial(_crehate, "crehate", "012"), "posts, hate speech or not", 1580, 42_527, "crehate"
    ),
    "crehate_two_labels": RegisteredPool(
        partial(_crehate, "crehate_two_labels", "01"), "the same without the undocumented label 2",
        1580, 39_468, "crehate",
    ),
    "csc": RegisteredPool(
        # Jang and Frassinelli 2024; the training part is left out.
        partial(
            lewidi_pool, "csc", "123456", ordered=True,
            text_of=lambda text: f"{text['context']}\n{text['response']}",
        ),
        "replies in conversations, sarcasm from 1 to 6", 1408, 6410, "csc",
    ),
    "davidson": RegisteredPool(
        _davidson, "tweets: hate speech, offensive or neither", 24_783, 80_383, "davidson"
    ),
    "hs_brexit": RegisteredPool(
        # Akhtar et al. 2021
        partial(lewidi_pool, "hs_brexit", "01"), "tweets, hate speech or not, by the same six people",
        1120, 6720, "hs_brexit",
    ),
    "md_agreement": RegisteredPool(
        # Leonardelli et al. 2021
        partial(lewidi_pool, "md_agreement", "01"), "tweets, offensive or not", 10_753, 53_764,
        "md_agreement",
    ),
    **{
        f"mhs_{scale}": RegisteredPool(
            partial(_mhs, scale), f"posts, question {scale} from 0 to 4", 39_565, 135_556, "mhs"
        )
        for scale in MHS_SCALES
    },
    "popquorn": RegisteredPool(
        _popquorn, "comments, offensiveness from 1 to 5", 1500, 13_036, "popquorn"
    ),
    "sample": RegisteredPool(
        sample_pool, "made-up remarks about meals, by 12 made-up people", 240, 1440
    ),
    "wikipedia_talk_toxicity": RegisteredPool(
        _wikipedia_talk_toxicity, "comments on talk pages, from very toxic (−2) to very healthy (2)",
        159_686, 1_598_289, "wikipedia_talk_toxicity",
    ),
}  # fmt: skip
"""Published pools and a made-up one by their names."""
