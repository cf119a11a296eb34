"""Pickles are read for their lists, texts and numbers, and never run code."""

import os
import pickle
from argparse import Namespace

import numpy as np
import pytest

from tiltmeter.core.errors import BadInput
from tiltmeter.data.files.plain_pickles import read_pickle


def written(tmp_path, content):
    path = tmp_path / "some.pkl"
    path.write_bytes(content if isinstance(content, bytes) else pickle.dumps(content))
    return path


def test_lists_texts_and_numbers_are_read(tmp_path):
    args, (text, number) = read_pickle(written(tmp_path, [Namespace(n=1), ["é", np.int64(7)]]))
    assert (args.n, text, number) == (1, "é", 7)


class Harmful:
    def __reduce__(self):
        return os.mkdir, ("made-by-a-pickle",)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (Harmful(), r"names (posix|nt)\.mkdir"),
        (b"question,answer\n", "no pickle"),
        (b"", "no pickle"),
    ],
)
def test_code_and_other_files_are_refused(tmp_path, monkeypatch, content, why):
    path = written(tmp_path, content)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput, match=rf"some\.pkl.*{why}"):
        read_pickle(path)
    assert [file.name for file in tmp_path.iterdir()] == ["some.pkl"]
