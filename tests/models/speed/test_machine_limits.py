"""How many tokens a forward pass holds, and how many threads compute it."""

from types import SimpleNamespace

import pytest
import torch

from tiltmeter.models.speed import machine_limits

CPU = torch.device("cpu")
GIB = 2**30


class Model:
    """As wide as BERT-base, with so many bytes of weights."""

    config = SimpleNamespace(hidden_size=768, intermediate_size=3072)

    def __init__(self, weights):
        self._weights = torch.empty(weights // 4, device="meta")

    def parameters(self):
        return iter([self._weights])


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A container whose limits the test writes."""
    monkeypatch.setattr(machine_limits, "CGROUPS", tmp_path)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    return tmp_path


def test_memory_decides_where_it_is_small(machine):
    # a token of BERT-base holds (16 × 768 + 4 × 3072) × 4 bytes = 96 KiB
    (machine / "memory.max").write_text(str(GIB))
    # half of 1 GiB − 2 × 400 MiB is 112 MiB: 1,194 tokens, so 1,024
    assert machine_limits.tokens_at_once(Model(400 * 2**20), CPU) == 1024
    # half of 1 GiB − 2 × 480 MiB is 32 MiB: 341 tokens, so 256
    assert machine_limits.tokens_at_once(Model(480 * 2**20), CPU) == 256


def test_no_more_than_helps_and_never_none(machine):
    (machine / "memory.max").write_text("max")
    assert machine_limits.tokens_at_once(Model(4 * 2**20), CPU) == machine_limits.FASTEST["cpu"]
    (machine / "memory.max").write_text(str(2**20))
    assert machine_limits.tokens_at_once(Model(400 * 2**20), CPU) == machine_limits.LEAST


@pytest.mark.parametrize(
    ("config", "tokens"),
    [
        # GPT-2's size: 2 × 12 layers × 768 numbers × 4 bytes are 72 KiB a token
        ({"hidden_size": 768, "num_attention_heads": 12, "num_hidden_layers": 12}, 2**20 // 72),
        # 3 of 9 heads have keys: 2 × 30 × 192 × 4 bytes are 45 KiB, so more than help
        ({"hidden_size": 576, "num_attention_heads": 9, "num_key_value_heads": 3,
          "num_hidden_layers": 30}, 16_384),
        # 2 × 48 layers × 25 heads × 128 × 4 bytes: fewer than a forward pass reads
        ({"num_attention_heads": 25, "head_dim": 128, "num_hidden_layers": 48}, 1024),
    ],
)  # fmt: skip
def test_keys_and_values_of_replies_take_a_gigabyte(config, tokens):
    model = Model(4)
    model.config = SimpleNamespace(get_text_config=lambda **_: SimpleNamespace(**config))
    assert machine_limits.tokens_held(model, 1024) == tokens


def test_the_older_layout_of_limits(machine):
    (machine / "memory").mkdir()
    (machine / "memory" / "memory.limit_in_bytes").write_text(str(GIB))
    assert machine_limits.tokens_at_once(Model(400 * 2**20), CPU) == 1024
    (machine / "cpu").mkdir()
    (machine / "cpu" / "cpu.cfs_quota_us").write_text("150000")
    (machine / "cpu" / "cpu.cfs_period_us").write_text("100000")
    assert machine_limits.processors() == 2


@pytest.mark.parametrize(
    ("said", "processors"),
    [
        ("max 100000", None),
        ("200000 100000", 2),
        ("50000 100000", 1),
        ("250000 100000", 2),
        ("", None),
    ],
)
def test_a_quota_in_processors(machine, said, processors):
    (machine / "cpu.max").write_text(said)
    assert machine_limits.processors() == processors


def test_threads_follow_the_quota_but_not_against_the_user(machine, monkeypatch):
    asked = []
    monkeypatch.setattr(torch, "get_num_threads", lambda: 64)
    monkeypatch.setattr(torch, "set_num_threads", asked.append)
    machine_limits.prepare()
    assert asked == []
    (machine / "cpu.max").write_text("400000 100000")
    machine_limits.prepare()
    assert asked == [4]
    monkeypatch.setenv("OMP_NUM_THREADS", "8")
    machine_limits.prepare()
    assert asked == [4]
