"""Which precision a machine is fast in: told from what it has, so that it is told alike every time."""

import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")

from tiltmeter.models.speed import instructions  # noqa: E402 (torch may be missing)
from tiltmeter.models.speed.instructions import Quick, quick  # noqa: E402


@pytest.fixture
def machine(monkeypatch, processor):
    """A machine with these GPUs, by generation, or with a CPU that can do these things."""

    def have(*gpus, cpu=(), hip=None):
        monkeypatch.setattr(torch.cuda, "is_available", lambda: bool(gpus))
        monkeypatch.setattr(torch.cuda, "device_count", lambda: len(gpus))
        monkeypatch.setattr(torch.cuda, "get_device_capability", lambda at=None: (gpus[at or 0], 0))
        monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
        monkeypatch.setattr(torch.version, "hip", hip)
        processor(*cpu)

    return have


@pytest.mark.parametrize(
    ("generation", "precision"), [(6, ""), (7, "float16"), (8, "bfloat16"), (9, "bfloat16")]
)
def test_gpus(machine, generation, precision):
    machine(generation)
    assert quick("auto").precision == quick("cuda").precision == precision
    assert bool(quick("cuda").why) == (not precision)


def test_the_gpu_that_is_named_is_the_one(machine):
    machine(6, 9)
    assert quick("cuda:0").precision == ""
    assert quick("cuda:1").precision == "bfloat16"
    assert quick("cuda:2") == quick("cuda:x") == Quick("", "there is no such GPU")
    machine(9, hip="6.2")
    assert quick("cuda").precision == "bfloat16"


def test_cpus(machine):
    machine(cpu=["avx2"])
    assert "no fast bfloat16" in quick("cpu").why
    assert quick("auto") == quick("cpu")
    for feature in ("avx512_bf16", "amx_bf16"):
        machine(cpu=["avx2", feature])
        assert quick("auto") == quick("cpu") == Quick("bfloat16")
    assert quick("cuda") == Quick("", "there is no such GPU")
    assert "on mps" in quick("mps").why


def test_a_processor_that_counts_as_an_older_one(machine, monkeypatch):
    machine(cpu=["avx512_bf16"])
    monkeypatch.setenv("TILTMETER_MAX_CPU", "avx2")
    assert quick("auto") == quick("cpu")
    assert quick("cpu").precision == ""
    assert "TILTMETER_MAX_CPU=avx2" in quick("cpu").why


def test_without_the_libraries(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    assert quick("auto") == Quick("", "torch is not installed")
    instructions.let_go()


@pytest.mark.parametrize(
    ("before", "known"), [("", True), ("import torch; torch.set_num_threads(3)", False)]
)
def test_the_state_of_the_machine_is_known_afterwards_unless_a_program_chose_threads(before, known):
    code = f"""{before}
from tiltmeter.models.speed.instructions import quick
from tiltmeter.models.speed.machine_state import machine_state
quick("cpu")
print(machine_state("cpu") is not None)"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == str(known)
