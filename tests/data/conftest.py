"""Files for tests of readers."""

import json

import pytest


@pytest.fixture
def write(tmp_path):
    """A file of this name and text (or object)."""

    def make(name, content):
        path = tmp_path / name
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, encoding="utf-8")
        return path

    return make
