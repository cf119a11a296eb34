"""Files and folders recognised by their layout."""

import pytest

from tiltmeter.data.associations.word_sets import has_tests
from tiltmeter.data.pairs.row_reading import has_files, has_pairs


@pytest.mark.parametrize(
    ("name", "text", "pairs", "tests"),
    [
        ("a.csv", "sent_more,sent_less\nx,y\n", True, False),
        ("a.csv", "sent_more,other\nx,y\n", False, False),
        ("a.json", '[{"sent_more": "x", "sent_less": "y"}]', True, False),
        ("a.json", '{"targ1": {}}', False, True),
        ("a.txt", '{"targ1": {}}', False, False),
    ],
)
def test_by_content_and_ending(tmp_path, name, text, pairs, tests):
    file = tmp_path / name
    file.write_text(text)
    assert (has_pairs(file), has_tests(file)) == (pairs, tests)


def test_a_folder_needs_all_files(tmp_path):
    (tmp_path / "one").touch()
    assert has_files(tmp_path, names=["one"])
    assert not has_files(tmp_path, names=["one", "two"])
    assert not has_pairs(tmp_path)
    assert not has_tests(tmp_path)
