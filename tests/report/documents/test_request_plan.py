"""What a run would ask, as people read it."""

from dataclasses import replace

from rich.console import Console

from tiltmeter.models.opening.memory_estimate import MemoryEstimate
from tiltmeter.report.documents.request_plan import request_plan_document
from tiltmeter.report.terminal import print_document
from tiltmeter.run.asking.budget import Price
from tiltmeter.run.asking.request_plan import RequestPlan

SERVER = RequestPlan("chat:x", "word", 3600, 0, 2_000_000, 1_000_000, 4, remote=True)
LOCAL = RequestPlan("gpt2", "word", 10, 4, 50, 20)


def printed(*plans, price=None):
    console = Console(width=120, record=True)
    print_document(request_plan_document(plans, "A study", price), console)
    return console.export_text()


def test_requests_tokens_time_and_cost_are_shown():
    text = printed(SERVER, price=Price(0.5, 2))
    for said in ("3,600 requests would be asked.", "2,000,000", "15 min", "3", "0.5 for a million"):
        assert said in text
    assert "4 are asked for at a time" in text


def test_what_does_not_apply_is_left_out():
    text = printed(LOCAL)
    assert "6 requests would be asked; the answers to 4 others are stored." in text
    assert "time" not in text
    assert "cost" not in text


def test_plans_of_several_studies_say_which():
    one, other = replace(LOCAL, study="bbq"), replace(LOCAL, study="decisions")
    assert "bbq" not in printed(one)
    assert {"study", "bbq", "decisions"} <= set(printed(one, other).split())


def test_times_are_in_readable_units():
    hours = RequestPlan("s", "word", 36_000, 0, 1, 1, 1, remote=True)
    assert "10.0 h" in printed(hours)
    assert "under a minute" in printed(RequestPlan("s", "word", 4, 0, 1, 1, 4, remote=True))


def test_what_thoughts_may_cost_besides_is_said():
    """Where they are not foreseen; the other numbers are without them."""
    plan = RequestPlan("s", "word", 4, 0, 1, 96, remote=True, thoughts=4 * 4_096)
    text = " ".join(printed(plan, price=Price(0.5, 2)).split())
    assert "may write 4,096 tokens more for each reply, 16,384 in all, which cost 0.03277." in text
    assert "thinks" not in printed(SERVER)


def test_memory_and_disk_of_local_models():
    local = RequestPlan("gpt2", "word", 10, 4, 50, 20, answers=300_000)
    local.memory = MemoryEstimate("bfloat16", 32_100_000_000, 45_000_000, 1_073_741_824)
    local.free = 40_000_000_000
    out = printed(local, SERVER)
    assert "gpt2 fits: it takes up to 33.2 GB of memory, and 40.0 GB are free now." in out
    local.free = 20_000_000_000
    assert "gpt2 may not fit: it takes up to 33.2 GB" in printed(local, SERVER)
    assert "Memory and disk, at most" in out
    (row,) = (line for line in out.splitlines() if "bfloat16" in line)
    assert row.split() == ["gpt2", "bfloat16", "32.1", "GB", "45", "MB", "1.1", "GB", "33.2", "GB",
                           "300", "kB"]  # fmt: skip
    assert "Memory" not in printed(SERVER)
