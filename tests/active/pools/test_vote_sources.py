"""The published pools have the sizes and the disagreement that are known of them."""

import pytest

from support.published import is_there, need
from support.vote_tables import write_mhs, write_wikipedia
from tiltmeter.active.pools.registered_pools import MHS_SCALES, POOLS
from tiltmeter.active.pools.vote_sources import open_pool, read_votes
from tiltmeter.core.errors import BadInput, BadItems, UnknownName
from tiltmeter.data.downloads.registry import known_sets

SETS = known_sets()

KNOWN = {
    # items, fewest and most votes, labels, P(two votes differ), annotators
    "csc": (1408, 4, 6, 6, 0.683, 872),
    "popquorn": (1500, 5, 10, 5, 0.533, 262),
    "crehate": (1580, 25, 73, 3, 0.382, 1064),
    "crehate_two_labels": (1580, 12, 25, 2, 0.310, 1062),
    "md_agreement": (10_753, 4, 5, 2, 0.288, 819),
    "convabuse": (4052, 2, 8, 5, 0.211, 8),
    "davidson": (24_783, 3, 9, 3, 0.188, 0),
    "hs_brexit": (1120, 6, 6, 2, 0.147, 6),
    "sample": (240, 6, 6, 3, 0.346, 12),
}
NEVER_HERE = {"mhs", "wikipedia_talk_toxicity"}
"""Sets that are known by their descriptions: tests make files of their layout."""


def test_every_pool_is_known_here():
    assert set(KNOWN) == {name for name, pool in POOLS.items() if pool.data not in NEVER_HERE}
    assert all(pool.data in {"", *SETS} for pool in POOLS.values())


@pytest.mark.parametrize("name", KNOWN)
def test_a_pool_has_the_known_numbers(name):
    if name != "sample":
        files = [file.path for file in SETS[name.removesuffix("_two_labels")].files]
        need(next((file for file in files if not is_there(file)), files[0]))
    pool = open_pool(name)
    votes = pool.counts.sum(axis=1)
    found = (len(pool.items), votes.min(), votes.max(), len(pool.labels))
    assert found == KNOWN[name][:4]
    assert pool.disagreement == pytest.approx(KNOWN[name][4], abs=0.001)
    assert len(pool.annotators) == KNOWN[name][5]
    assert (len(pool.items), len(pool.item)) == (POOLS[name].items, POOLS[name].votes)


def test_questions_of_measuring_hate_speech_are_pools(tmp_path, monkeypatch):
    rows = write_mhs(tmp_path)
    monkeypatch.setenv("TILTMETER_DATA", str(tmp_path))
    for scale in MHS_SCALES:
        pool = open_pool(f"mhs_{scale}")
        assert (pool.name, pool.labels, pool.ordered) == (f"mhs_{scale}", tuple("01234"), True)
        given = {(row["comment_id"], row["annotator_id"], row[scale]) for row in rows}
        read = {
            (int(pool.items[i]), int(pool.annotators[a]), float(pool.labels[k]))
            for i, a, k in zip(pool.item, pool.annotator, pool.label, strict=True)
        }
        assert read == given and pool.texts[0] == "post 0"


def test_votes_on_comments_of_wikipedia_are_a_pool(tmp_path, monkeypatch):
    write_wikipedia(tmp_path)
    monkeypatch.setenv("TILTMETER_DATA", str(tmp_path))
    pool = open_pool("wikipedia_talk_toxicity")
    assert pool.labels == ("-2", "-1", "0", "1", "2") and set(pool.counts.sum(axis=1)) == {10}
    assert pool.texts[pool.items.index("3")] == "comment 3\n\tof a talk page"
    file = tmp_path / "wikipedia_talk_toxicity" / "toxicity_annotations.tsv"
    file.write_text(file.read_text("utf-8") + "99.0\t1\t0\t0.0\n", "utf-8")
    with pytest.raises(BadInput, match="a vote on comment 99, which is not in toxicity_annotated"):
        open_pool("wikipedia_talk_toxicity")


def test_a_file_is_read_and_an_unknown_name_refused(tmp_path):
    path = tmp_path / "mine.csv"
    rows = [f"i{i},text {i},p{p},{(i + p) % 2}" for i in range(10) for p in range(3)]
    path.write_text("\n".join(["item,text,annotator,label", *rows]), "utf-8")
    assert open_pool(str(path)).sha256 == read_votes(path).sha256
    with pytest.raises(UnknownName, match="Did you mean 'popquorn'"):
        open_pool("popcorn")


def test_a_vote_without_a_label_is_refused(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("item,text,annotator,label\n1,a b,p,N/A\n", "utf-8")
    with pytest.raises(BadItems, match="label is 'N/A', a word for a missing value"):
        read_votes(path)
