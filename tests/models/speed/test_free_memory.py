"""Free memory is what Linux says, within a container's limit."""

import pytest

from tiltmeter.models.speed import free_memory
from tiltmeter.models.speed.free_memory import free_bytes, whole_bytes

KIB = 1 << 10


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine with 100 KiB, of which 60 are free, 20 KiB of swap space, and no container."""
    (tmp_path / "meminfo").write_text(
        "MemTotal:   100 kB\nMemFree:     5 kB\nMemAvailable:    60 kB\nSwapTotal:   20 kB\n"
    )
    monkeypatch.setattr(free_memory, "MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(free_memory, "CGROUPS", tmp_path)
    monkeypatch.setattr(free_memory, "bytes_of_memory", lambda: 100 * KIB)
    return tmp_path


@pytest.mark.usefixtures("machine")
def test_without_a_container_it_is_what_programs_can_have():
    assert free_bytes("cpu") == 60 * KIB
    assert whole_bytes("cpu") == 120 * KIB


def test_a_container_has_what_is_left_of_its_limit(machine):
    (machine / "memory.max").write_text(f"{50 * KIB}\n")
    (machine / "memory.current").write_text(f"{30 * KIB}\n")
    (machine / "memory.stat").write_text(f"anon {20 * KIB}\ninactive_file {8 * KIB}\n")
    assert free_bytes("cpu") == 28 * KIB
    (machine / "memory.max").write_text("max\n")
    assert free_bytes("cpu") == 60 * KIB


def test_where_nothing_says_it_is_all_memory_or_not_known(machine, monkeypatch):
    (machine / "meminfo").unlink()
    assert free_bytes("cpu") == 100 * KIB == whole_bytes("cpu")
    monkeypatch.setattr(free_memory, "bytes_of_memory", lambda: None)
    assert free_bytes("cpu") is whole_bytes("cpu") is None
    assert free_bytes("mps") is whole_bytes("mps") is None
