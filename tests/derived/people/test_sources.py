"""Matrices from files, and names that would read the same."""

import pytest

from tiltmeter.analyses.compare_people.matrices import source_of
from tiltmeter.core.errors import BadInput
from tiltmeter.derived.people.sources import people_of


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8"])
def test_ratings_of_people_may_have_another_encoding(tmp_path, encoding):
    rows = ["annotator,group,pair,rating", "José,men,cold - warm,20", "Ana,men,cold - warm,30"]
    (tmp_path / "r.csv").write_text("\n".join(rows), encoding)
    assert source_of(str(tmp_path / "r.csv"), encoding=encoding).matrix.values.tolist() == [[25.0]]


def test_a_broken_link_is_no_name_of_a_table_of_people(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people").symlink_to("gone")
    with pytest.raises(BadInput, match="is a link to 'gone', which is not there"):
        people_of("people")
