"""PyTorch's threads spin briefly, unless the user says otherwise; the card says it."""

import os
import re
import subprocess
import sys

import pytest
import torch

import tiltmeter as tm
from support.architectures import build
from tiltmeter.models.speed import machine_limits

linux = pytest.mark.skipif(sys.platform != "linux", reason="GNU OpenMP is PyTorch's on Linux only")

OPENMP = (
    "import ctypes, importlib.util, pathlib; "
    "(package,) = importlib.util.find_spec('torch').submodule_search_locations; "
    "(library,) = pathlib.Path(package, 'lib').glob('libgomp*'); ctypes.CDLL(str(library))"
)
"""Loads what PyTorch loads, without PyTorch, which takes seconds."""


def spins(code, **chosen):
    """GOMP_SPINCOUNT as GNU OpenMP itself prints it when PyTorch loads it; "" where it does not."""
    clean = {n: v for n, v in os.environ.items() if n not in {"GOMP_SPINCOUNT", "OMP_WAIT_POLICY"}}
    done = subprocess.run(
        [sys.executable, "-c", code], env=clean | chosen | {"OMP_DISPLAY_ENV": "VERBOSE"},
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    counts = re.findall(r"GOMP_SPINCOUNT = '(\d+)'", done.stderr)
    return counts[-1] if counts else ""


@linux
def test_the_limit_reaches_openmp_where_tiltmeter_is_imported_first():
    assert spins("import tiltmeter.core.data.items, ctypes, torch") == "10000"


@linux
@pytest.mark.parametrize(
    "chosen",
    [{"GOMP_SPINCOUNT": "77"}, {"OMP_WAIT_POLICY": "PASSIVE"}],
    ids=lambda c: next(iter(c)),
)
def test_the_user_decides(chosen):
    assert spins(f"import tiltmeter; {OPENMP}", **chosen) == chosen.get("GOMP_SPINCOUNT", "0")


@pytest.fixture
def fresh(monkeypatch):
    """A Linux process that has not imported PyTorch, as far as the module can see."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delitem(sys.modules, "torch")
    for name in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def test_nothing_is_set_that_would_not_be_read(fresh):
    with fresh.context() as late:
        late.setitem(sys.modules, "torch", torch)
        machine_limits.limit_spinning()
        assert "GOMP_SPINCOUNT" not in os.environ
    with fresh.context() as elsewhere:
        elsewhere.setattr(sys, "platform", "darwin")
        machine_limits.limit_spinning()
        assert "GOMP_SPINCOUNT" not in os.environ
    machine_limits.limit_spinning()
    assert os.environ["GOMP_SPINCOUNT"] == "10000"


def test_the_card_says_how_many_threads_and_how_they_wait(tmp_path, monkeypatch):
    monkeypatch.setenv("GOMP_SPINCOUNT", "10000")
    monkeypatch.setenv("OMP_WAIT_POLICY", "ACTIVE")
    card = tm.run("starter_pairs", build("bert", tmp_path / "bert"), limit=2, device="cpu").card
    expected = f"{torch.get_num_threads()}, GOMP_SPINCOUNT=10000, OMP_WAIT_POLICY=ACTIVE"
    assert card.model["threads"] == expected
