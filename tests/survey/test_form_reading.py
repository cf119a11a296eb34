"""Forms are read by name and from files."""

import pytest

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.survey.form_file import form_text, read_form


def test_a_file_that_is_no_toml_and_a_name_that_no_form_has(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text("name = ")
    with pytest.raises(BadInput, match=r"own\.toml: is not TOML.*survey check"):
        read_form(path)
    with pytest.raises(UnknownName, match="Did you mean 'group_traits'"):
        read_form("group_trait")
    (tmp_path / "link").symlink_to("gone")
    with pytest.raises(BadInput, match="is a link to 'gone', which is not there"):
        read_form(tmp_path / "link")


def test_the_file_is_kept_with_its_checksum(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(form_text("label_text"), "utf-8")
    assert read_form(path).sha256 == read_form("label_text").sha256
    assert read_form(path).text == path.read_text("utf-8")
