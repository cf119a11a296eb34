"""The packaged pairs."""

from collections import Counter

from tiltmeter.studies import starter_pairs


def counts(data, axis):
    return dict(Counter(pair.groups[axis] for pair in data.items if axis in pair.groups))


def test_starter_pairs_come_with_the_package():
    data = starter_pairs.load()
    assert len(data.items) >= 200
    assert len(counts(data, "bias_type")) == 9
    assert set(counts(data, "direction")) == {"stereo", "antistereo"}
    assert data.clusters == "template"
    assert all(pair.cluster for pair in data.items)
    assert not data.invalid
    assert [p.id for p in starter_pairs.load("starter_pairs").items] == [p.id for p in data.items]
