"""Each study of sentence pairs reads a file of the user's, and has a sample of its shape."""

from collections import Counter

import pytest

from tiltmeter.core.errors import BadItems
from tiltmeter.core.finder import find

NAMES = ("crows_pairs", "winobias", "winogender", "stereoset_pairs", "starter_pairs", "pairs")


def counts(data, axis):
    return dict(Counter(pair.groups[axis] for pair in data.items if axis in pair.groups))


@pytest.mark.parametrize("name", NAMES)
def test_a_file_of_the_users_fits_every_study(name, tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("sent_more,sent_less\nShe sang.,He sang.\n")
    for source in (path, str(path)):
        data = find("studies", name, "STUDY").load(source)
        assert [(p.more, p.less) for p in data.items] == [("She sang.", "He sang.")]
        assert data.name == "mine.csv"
    path.write_text("sent_more,sent_less\nShe sang.,\nA b.,C d.\n")
    with pytest.raises(BadItems, match=r"mine.csv:2: sent_less is empty"):
        find("studies", name, "STUDY").load(path)
    assert len(find("studies", name, "STUDY").load(path, skip_invalid=True).items) == 1


@pytest.mark.parametrize("name", NAMES)
def test_samples_have_the_shape_of_the_study(name):
    study = find("studies", name, "STUDY")
    data = study.sample()
    versions = len(counts(data, "construction")) or 1
    assert len(data.items) == 12 * versions
    assert len({pair.id for pair in data.items}) == 12 * versions
    assert all(pair.more != pair.less for pair in data.items)
    assert counts(data, "check").keys() <= {"passed", "flagged"}
    assert len({pair.cluster for pair in data.items}) > 1 or not data.clusters
