"""Lists of identity terms: the user's own are read and checked."""

import pytest

from tiltmeter.core.errors import BadItems, UnknownName
from tiltmeter.data.texts.identity_swaps import swap_lists


def test_a_list_of_the_users_own_is_read_and_checked(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('[age]\ngroups = ["old", "young"]\nsets = [["old", "young"]]\n', "utf-8")
    (words,) = swap_lists(str(path))
    assert [one.text for one in words.swaps("An old cook.")] == ["A young cook."]
    with pytest.raises(UnknownName, match="attribute"):
        swap_lists(str(path), "gender")
    path.write_text('[age]\ngroups = ["old"]\nsets = [["old"]]\n', "utf-8")
    with pytest.raises(BadItems, match="fewer than two groups"):
        swap_lists(str(path))
