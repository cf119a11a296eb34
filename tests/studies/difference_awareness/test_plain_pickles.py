"""Pickles are read for their lists, texts and numbers; what they could make Python do does not happen."""

import os
import pickle
import random
import subprocess
import sys
from argparse import Namespace

import numpy as np
import pytest

from tiltmeter.core.errors import BadInput
from tiltmeter.studies.difference_awareness.plain_pickles import read_pickle


def written(tmp_path, content):
    path = tmp_path / "some.pkl"
    path.write_bytes(content if isinstance(content, bytes) else pickle.dumps(content))
    return path


NUMBERS = [np.int64(-7), np.uint8(200), np.float32(0.5), np.float64(-2.25), np.float16(3), np.bool_(1),
           np.str_("ünï"), np.array([5], ">i4")[0], np.array(["a"], ">U3")[0]]  # fmt: skip


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_lists_texts_and_numbers_are_read(tmp_path, protocol):
    shared = ["é", None]
    plain = [shared, shared, (True, False, ()), (1, 2), {"a": [1.5], 3: 10**40, "n": -1}, "\ud800"]
    path = written(tmp_path, pickle.dumps([Namespace(n=1), plain], protocol))
    assert read_pickle(path) == [{"n": 1}, plain]


@pytest.mark.parametrize("protocol", range(3, pickle.HIGHEST_PROTOCOL + 1))
def test_numbers_of_numpy_become_pythons(tmp_path, protocol):
    made = read_pickle(written(tmp_path, pickle.dumps(NUMBERS, protocol)))
    assert made == [number.item() for number in NUMBERS]
    assert {type(value) for value in made} == {int, float, bool, str}


class Harmful:
    def __reduce__(self):
        return os.mkdir, ("made-by-a-pickle",)


def called(module, name, arguments=b")"):
    """The instructions of a pickle that calls something."""
    return b"\x80\x04c" + f"{module}\n{name}\n".encode() + arguments + b"R"


class Forged:
    """A record whose only field is an object, with a state that hides it: its bytes are an address."""

    class Type:
        def __reduce__(self):
            fields = {"f": (np.dtype("O"), 0)}
            return np.dtype, ("V8", False, True), (3, "|", None, ("f",), fields, 8, 1, 0)

    def __reduce__(self):
        scalar = np.int64(0).__reduce__()[0]
        return scalar, (self.Type(), b"\x41" * 8)


STATE = b"(K\x03X\x01\x00\x00\x00<NNN" + b"J\xff\xff\xff\xff" * 2 + b"K?t"
HOSTILE = {
    "code": (pickle.dumps(Harmful()), r"names (posix|nt)\.mkdir"),
    "code, first protocol": (pickle.dumps(Harmful(), 0), r"names (posix|nt)\.mkdir"),
    "builtins": (
        called("builtins", "eval", b"X\x01\x00\x00\x001\x85") + b".",
        r"names builtins\.eval",
    ),
    "a state that NumPy does not expect": (
        called("numpy", "dtype", b"X\x02\x00\x00\x00O8\x89\x88\x87") + STATE + b"b.",
        "more than values",
    ),
    "an object out of bytes": (
        b"\x80\x04cnumpy.core.multiarray\nscalar\n"
        + called("numpy", "dtype", b"X\x02\x00\x00\x00O8\x89\x88\x87")[2:]
        + b"C\x08AAAAAAAA\x86R.",
        "numbers of the type O8",
    ),
    "an object hidden in a record": (
        pickle.dumps([Forged()]),
        "sets the state|numbers of the type V8",
    ),
    "more bytes than there are": (b"\x80\x04\x8e" + b"\xff" * 7 + b"\x7f.", "pickle of lists"),
    "a huge place to remember": (b"\x80\x04Nr\xff\xff\xff\xffj\xfe\xff\xff\xff.", "has not kept"),
    "state on a function": (
        b"\x80\x04cnumpy.core.multiarray\nscalar\n}X\x08\x00\x00\x00__dict__Nsb.",
        "state of an object",
    ),
    "deeper than the stack": (
        b"\x80\x04" + b"]" * 10**5 + b"a" * (10**5 - 1) + b".",
        "nested too deeply",
    ),
    "a key that cannot be hashed safely": (
        b"\x80\x04})" + b"\x85" * 10**6 + b"Ns.",
        "neither a text nor a whole number",
    ),
    "a list in itself": (b"\x80\x04]q\x00h\x00a.", "nested too deeply"),
    "an extension": (b"\x80\x04\x82\x01.", "EXT1"),
    "a persistent object": (b"\x80\x04Nq\x00Q.", "BINPERSID"),
    "nothing on the stack": (b"\x80\x04a.", "pickle of lists"),
    "no end": (b"\x80\x04]", "pickle of lists"),
    "a number of digits": (b"\x80\x02L" + b"9" * 10**5 + b"L\n.", "pickle of lists"),
    "text": (b"question,answer\n", "no pickle"),
    "empty": (b"", "no pickle"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_could_harm_is_refused(tmp_path, monkeypatch, name):
    content, why = HOSTILE[name]
    path = written(tmp_path, content)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput, match=rf"some\.pkl.*{why}"):
        read_pickle(path)
    assert [file.name for file in tmp_path.iterdir()] == ["some.pkl"]


@pytest.mark.parametrize(
    "name", ["an object hidden in a record", "a key that cannot be hashed safely"]
)
def test_what_ends_a_process_with_pythons_reader_is_an_error_here(tmp_path, name):
    """Even one that allows only NumPy's types, as their states can be forged."""
    path = written(tmp_path, HOSTILE[name][0])
    pythons, ours = (
        subprocess.run(
            [sys.executable, "-c", script, path], capture_output=True, text=True, check=False
        )
        for script in (PYTHONS, OURS)
    )
    assert pythons.returncode < 0
    assert ours.returncode == 1 and "BadInput" in ours.stderr


OURS = """
import sys
from pathlib import Path
from tiltmeter.studies.difference_awareness.plain_pickles import read_pickle
print(read_pickle(Path(sys.argv[1])))
"""
PYTHONS = """
import pickle, sys
import numpy as np
class Reader(pickle.Unpickler):
    def find_class(self, module, name):
        return {"dtype": np.dtype, "scalar": np.int64(0).__reduce__()[0]}[name]
print(Reader(open(sys.argv[1], "rb")).load())
"""


def test_damaged_bytes_give_plain_values_or_are_refused(tmp_path):
    """Every outcome of 2,000 changed pickles is a value of Python's own types, or BadInput."""
    whole = pickle.dumps([Namespace(n=1), ["é" * 40, *NUMBERS], {"k": (1.5, None)}])
    chance = random.Random(3)
    path = tmp_path / "some.pkl"
    refused = 0
    for _ in range(2_000):
        changed = bytearray(whole)
        for _ in range(chance.randint(1, 3)):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        path.write_bytes(bytes(changed))
        try:
            assert is_plain(read_pickle(path))
        except BadInput:
            refused += 1
    assert 0 < refused < 2_000


def is_plain(value):
    if isinstance(value, dict):
        return type(value) is dict and all(map(is_plain, value.values()))
    if isinstance(value, list | tuple):
        return type(value) in {list, tuple} and all(map(is_plain, value))
    return value is None or type(value) in {bool, int, float, str, bytes}
