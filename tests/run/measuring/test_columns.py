"""Columns of records: axes, clusters, labels that some lack."""

import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.core.records import Record
from tiltmeter.run.measuring.columns import columns_of


def test_a_label_that_some_lack_is_no_column():
    records = [Record("1", {"more": 0.0}, {"age": "old"}), Record("2", {"more": 0.0}, {})]
    columns = columns_of(records, ["more"])
    assert columns.column("age", [0]).tolist() == ["old"]
    with pytest.raises(Undefined, match="some items have no age"):
        columns.column("age", slice(None))
    with pytest.raises(Undefined, match="some items have no size"):
        columns.column("size", slice(None))


def test_clusters_are_numbered_in_the_order_of_their_names():
    clusters = ["b", "", "a", "é", "b", "\ud800", "😀"]
    records = [Record(f"{i}", {}, {}, cluster) for i, cluster in enumerate(clusters)]
    assert columns_of(records, []).clusters.tolist() == [1, 5, 0, 2, 1, 3, 4]
