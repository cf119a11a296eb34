"""Pools, their readers, splits and the simulated oracle's source of votes."""

import numpy as np
import pytest

from tiltmeter.active.pools.vote_sources import read_votes
from tiltmeter.active.votes import NamedVote, split_items, vote_pool
from tiltmeter.core.errors import BadInput, BadItems


def long_table(path, rows, columns="item,text,annotator,label,country"):
    path.write_text("\n".join([columns, *rows]) + "\n", "utf-8")
    return path


def rows_of(items):
    return [
        f"i{i:02},text {i},p{p},{(i + p) % 3},{'US' if p else 'UK'}"
        for i in range(items)
        for p in range(4)
    ]


def test_the_order_of_rows_changes_nothing(tmp_path):
    rows = rows_of(12)
    one = read_votes(long_table(tmp_path / "votes.csv", rows))
    other = read_votes(long_table(tmp_path / "votes.csv", rows[::-1]))
    assert one.sha256 == other.sha256
    assert [*map(len, split_items(one, 3))] == [8, 1, 3]
    for left, right in zip(split_items(one, 3), split_items(other, 3), strict=True):
        assert left.tolist() == right.tolist()
    assert one.counts.sum(axis=1).tolist() == [4] * 12
    # four votes 0, 1, 2, 0 in some order: of six pairs one agrees
    assert one.disagreement == pytest.approx(5 / 6)


def test_votes_may_name_nobody(tmp_path):
    rows = [f"i{i:02},text {i},{label}" for i in range(10) for label in ("a", "b"[: i % 3] or "a")]
    pool = read_votes(long_table(tmp_path / "votes.csv", rows, "item,text,label"))
    assert pool.labels == ("a", "b") and not pool.has_annotators
    assert pool.counts.tolist() == [[1, 1] if i % 3 else [2, 0] for i in range(10)]
    assert pool.fully_agreed().tolist() == [0, 3, 6, 9]


def test_a_part_keeps_the_votes_of_its_items(tmp_path):
    pool = read_votes(long_table(tmp_path / "votes.csv", rows_of(12)))
    part = pool.part(np.array([5, 2]))
    assert part.items == ("i02", "i05")
    assert part.counts.tolist() == pool.counts[[2, 5]].tolist()


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("i00,text 0,p0,1,UK", "p0 votes on i00 a second time"),
        ("i00,another text,p9,1,UK", "i00 has another text"),
        ("i00,text 0,p9,,UK", "label is empty"),
        (",text,p9,1,UK", "item is empty"),
    ],
)
def test_rows_that_cannot_be_used_are_reported_by_line(tmp_path, row, problem):
    with pytest.raises(BadItems, match=f"votes.csv:50: {problem}"):
        read_votes(long_table(tmp_path / "votes.csv", [*rows_of(12), row]))


def test_too_few_items_and_unknown_labels_are_refused():
    texts = {f"i{n}": "text" for n in range(10)}
    with pytest.raises(BadInput, match="at least 10"):
        vote_pool("few", texts, [NamedVote("i1", None, "a")], labels=("a", "b"))
    with pytest.raises(BadInput, match="has the label 'c'"):
        vote_pool("odd", texts, [NamedVote(i, None, "c") for i in texts], labels=("a", "b"))


def test_a_cap_keeps_some_of_each_items_votes_and_fewer_are_among_more(tmp_path):
    pool = read_votes(long_table(tmp_path / "votes.csv", rows_of(12)))
    caps = {most: pool.capped(most, 5) for most in (1, 2, 3)}
    votes = {most: {*zip(c.item, c.annotator, strict=True)} for most, c in caps.items()}
    assert all(set(caps[most].counts.sum(axis=1)) == {most} for most in caps)
    assert votes[1] < votes[2] < votes[3] and caps[2].items == pool.items
    assert pool.capped(0, 5) is pool and pool.capped(9, 5).counts.tolist() == pool.counts.tolist()
    drawn = [pool.capped(1, seed).annotator for seed in range(400)]
    assert np.abs(np.bincount(np.concatenate(drawn)) / (400 * 12) - 1 / 4).max() < 0.03
