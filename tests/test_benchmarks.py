"""Each benchmark runs in its smallest setting, gives rows, and its numbers agree; no time is judged."""

import importlib.util
import json
import math
import sys
import warnings
from functools import cache

import pytest
import torch
from benchmarks import __main__ as command
from benchmarks import _frame, _ours, _peak, _published, _usage, memory

from tiltmeter.core.data.items import Pair
from tiltmeter.core.model.requests import Blanked, Continuation
from tiltmeter.core.records import Record
from tiltmeter.models.speed import instructions
from tiltmeter.models.speed.packed_weights import is_used

TINY = _frame.Settings(tiny=True, causal=None)
PEERS = {"minicons": "minicons", "lm-evaluation-harness": "lm_eval", "ONNX": "onnxruntime",
         "OpenVINO": "openvino"}  # fmt: skip
CLOSE = {"float32": 1e-3, "bfloat16": 1.0}


@pytest.fixture(autouse=True)
def _quiet_libraries():
    """Peers warn about themselves; that is no concern of these tests."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@cache
def rows(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return list(_frame.run(name, TINY))


def is_missing(way):
    return any(
        way.startswith(peer) and importlib.util.find_spec(module) is None
        for peer, module in PEERS.items()
    )


@pytest.mark.long
@pytest.mark.parametrize("name", _frame.known())
def test_every_benchmark_gives_rows(name):
    found = rows(name)
    assert _frame.title(_frame.load(name))
    for row in found:
        assert row.case
        assert row.way
        if row.skipped:
            continue
        assert row.seconds is not None or row.values
        numbers = [row.seconds, *row.values.values()]
        assert all(math.isfinite(n) for n in numbers if isinstance(n, int | float))
    assert len({(row.case, row.way) for row in found}) == len(found)


@pytest.mark.long
@pytest.mark.parametrize("name", _frame.known())
def test_what_is_compared_has_a_ratio_and_agreement(name):
    if not _frame.task(name):
        pytest.skip("compares no programs")
    found = rows(name)
    for row in found:
        if row.way.startswith("tiltmeter"):
            assert _frame.TIMES not in row.values
        elif not row.skipped:
            assert row.values[_frame.TIMES] > 0
            assert _frame.SAME in row.values
    assert any(row.way.startswith("tiltmeter") for row in found)


@pytest.mark.long
@pytest.mark.parametrize("name", _frame.known())
def test_only_what_cannot_run_here_is_skipped(name):
    for row in rows(name):
        if row.skipped and not is_missing(row.way):
            absent = "GPU" in row.skipped or "PostgreSQL" in row.skipped
            assert absent or "bfloat16" in row.way, row


@pytest.mark.long
@pytest.mark.parametrize("name", ["breakdown", "causal", "crows_pairs", "runtimes"])
def test_precisions_without_instructions_are_skipped_with_the_reason(name, monkeypatch):
    monkeypatch.setattr(instructions, "_found", lambda: instructions.Bfloat16.NATIVE)
    monkeypatch.setenv("TILTMETER_MAX_CPU", "avx2")
    found = list(_frame.run(name, TINY))
    rough = [row for row in found if "bfloat16" in row.way]
    assert rough
    for row in rough:
        assert "TILTMETER_MAX_CPU=avx2" in row.skipped or is_missing(row.way), row
        assert row.seconds is None and not row.values
    assert any(row.way.startswith("tiltmeter, float32") or name == "breakdown" for row in found)
    assert any(row.seconds or row.values for row in found)


@pytest.mark.long
@pytest.mark.parametrize("name", ["crows_pairs", "causal", "runtimes"])
def test_numbers_agree_with_float32(name):
    for row in rows(name):
        if "largest difference" in row.values:
            kind = "bfloat16" if "bfloat16" in row.way else "float32"
            assert row.values["largest difference"] <= CLOSE[kind], row.way


def test_memory_is_measured_at_all_sizes_and_of_one_long_sentence():
    pairs = _ours.pairs(TINY)
    runs = list(memory._runs(pairs, _frame.Settings(causal=None)))
    sizes = [(run.rule, len(run.pairs())) for run in runs]
    assert sizes == [
        *((memory.FEW_REQUESTS, n * len(pairs)) for n in (1, 10, 100)),
        *((memory.MANY_REQUESTS, n * len(pairs)) for n in (1, 10)),
        (memory.MANY_REQUESTS, 1),
    ]
    (long,) = runs[-1].pairs()
    assert len(long.more.split()) == 501
    texts = [pair.more for pair in runs[2].pairs()]
    assert len(set(texts)) == 100 * len({pair.more for pair in pairs})


@pytest.mark.parametrize("megabytes", [0, 100])
def test_memory_of_a_command_is_without_that_of_the_process_that_measures(megabytes):
    """Python alone takes some 15 MB; this process has at least 300 with PyTorch."""
    filled = bytearray(300_000_000)
    program = f"filled = bytearray({megabytes}_000_000)"
    values = _usage.usage_of([sys.executable, "-I", "-S", "-c", program], {})
    assert len(filled) / 1e6 == 300
    assert megabytes + 5 < values["peak MB"] < megabytes + 30


def test_a_command_that_fails_is_not_measured():
    program = "import os, sys; sys.exit(os.environ['REASON'])"
    command = [sys.executable, "-c", program]
    usage = _usage.measured(command, {"REASON": "no data"})
    assert (usage.code, usage.messages) == (1, "no data\n")
    with pytest.raises(RuntimeError, match="no data"):
        _usage.usage_of(command, {"REASON": "no data"})


def test_growth_is_that_of_each_further_pair():
    first, second = (
        _frame.Row("a", "b", 1.0, {"pairs": n, "peak MB": peak})
        for n, peak in ((10, 500), (60, 501))
    )
    assert memory.with_growth(first, first) is first
    assert memory.with_growth(second, first).values["kB a further pair"] == pytest.approx(20)


@pytest.mark.long
def test_after_many_people_the_database_holds_what_was_acknowledged():
    measured = [row for row in rows("people") if not row.skipped]
    assert len(measured) in {2, 4}
    assert [(row.values["status 5xx"], row.note) for row in measured] == [(0, "")] * len(measured)


@pytest.mark.long
def test_the_published_procedure_decides_alike():
    (row,) = [r for r in rows("crows_pairs") if r.way.startswith("published")]
    assert row.values["decisions equal"] == "6 of 6"
    (row,) = [r for r in rows("stereoset") if r.way == "published procedure"]
    equal, _, all_of_them = row.values["decisions equal"].partition(" of ")
    assert equal == all_of_them


@pytest.mark.long
def test_the_command_writes_what_it_shows(tmp_path, capsys):
    file = tmp_path / "numbers.json"
    assert command.main(["--tiny", "--only", "association", "--json", str(file)]) == 0
    written = json.loads(file.read_text("utf-8"))
    shown = rows("association")
    assert [(row["case"], row["way"]) for row in written["rows"]] == [
        (r.case, r.way) for r in shown
    ]
    assert all(row["benchmark"] == "association" for row in written["rows"])
    assert written["machine"]["processor"]
    assert written["size"] == "tiny"
    out = capsys.readouterr().out
    assert all(row.case.split()[0] in out for row in shown)


def test_the_command_goes_on_after_one_that_breaks(monkeypatch, capsys):
    def broken(name, settings):
        if name == "startup":
            raise ValueError("no time")
        yield _frame.Row("one task", f"{name} of {settings.pairs}", 1234.5, {"a": 0.012345})

    monkeypatch.setattr(command, "run", broken)
    given = ["--pairs", "7", "--only", "startup", "--only", "crows_pairs"]
    assert command.main(given) == 1
    out, err = capsys.readouterr()
    assert "no time" in err
    assert "crows_pairs of 7" in out
    assert "1,234" in out
    assert "0.0123" in out


def test_operations_are_counted_as_by_hand():
    """One layer, width 2, inner 3, vocabulary 5: three tokens, one read, asked in two ways."""
    from transformers import BertConfig

    small = BertConfig(hidden_size=2, intermediate_size=3, num_hidden_layers=1, vocab_size=5)
    requests = [Blanked((1, 2, 3), (1,), (1,)), Blanked((1, 4, 3), (1,), (1,))]
    work = _peak.needed_masked(small, requests, batch_tokens=100)
    keys_and_values = 2 * 3 * 2 * 2
    query_and_output = 2 * 1 * 2 * 2
    feed_forward = 2 * 1 * 2 * 3
    head = 1 * 2 * 2 + 1 * 2 * 5
    attention = 2 * 1 * 3 * 2
    assert work.attention == attention
    assert sum(work.products.values()) == keys_and_values + query_and_output + feed_forward + head
    assert work.flops == 2 * (sum(work.products.values()) + attention)
    two = BertConfig(hidden_size=2, intermediate_size=3, num_hidden_layers=2, vocab_size=5)
    further = _peak.needed_masked(two, requests, batch_tokens=100).flops - work.flops
    whole_layer = 4 * 3 * 2 * 2 + 2 * 3 * 2 * 3 + 2 * 3 * 3 * 2
    assert further == 2 * whole_layer


def test_operations_of_a_causal_model_are_counted_as_by_hand():
    """One layer, width 2, inner 3, vocabulary 5: texts whose last tokens differ, or are longer."""
    from transformers import GPT2Config

    small = GPT2Config(n_embd=2, n_head=1, n_layer=1, n_inner=3, vocab_size=5)
    requests = [Continuation((), (1, 2)), Continuation((), (1, 3)), Continuation((1, 4), (2, 3))]
    work = _peak.needed_causal(small, requests, batch_tokens=100)
    tokens = 4  # the start token, 1, 4 and 2
    assert set(work.products) == {
        (tokens, *two) for two in ((2, 6), (2, 2), (2, 3), (3, 2), (2, 5))
    }
    assert sum(work.products.values()) == tokens * 2 * (6 + 2 + 3 + 3 + 5)
    assert work.attention == 2 * 2 * (1 + 2 + 3 + 4)


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_the_ways_of_a_matrix_product_give_the_same(precision):
    torch.manual_seed(0)
    found = {name: torch.as_tensor(product()).float()
             for name, product in _peak._ways((6, 5, 4), precision, "cpu")}  # fmt: skip
    packed = is_used("cpu", precision)
    own = {"numpy"} if precision == "float32" else set()
    assert set(found) == {"torch"} | own | ({"oneDNN, packed"} if packed else set())
    for name, value in found.items():
        assert value.shape == (6, 4)
        assert torch.allclose(
            value, found["torch"], atol=0.1 if precision == "bfloat16" else 1e-5
        ), name


def test_a_subset_has_the_same_lengths():
    items = [Pair(str(n), "a" * n, "b" * n) for n in range(1, 101)]
    few = _ours.stratified(items, 10)
    assert [len(pair.more) for pair in few] == list(range(6, 101, 10))
    assert _ours.stratified(items, 100) == items


def test_ties_and_differences_are_told():
    def record(item, more, less):
        return Record(item, {"more": more, "less": less}, {})

    reference = [record("a", 1.0, 2.0), record("b", 1.0, 1.0), record("c", 3.0, 1.0)]
    found = [record("c", 3.0, 1.5), record("b", 1.0, 1.25)]
    assert _ours.agreement(reference, found) == {
        "largest difference": 0.5,
        "decisions equal": "1 of 2",
    }


def test_the_published_loop_hides_shared_tokens_one_by_one():
    """A model that says how many tokens it saw: sums and passes can be counted by hand."""

    class Counting:
        device = "cpu"

        def __call__(self, ids):
            logits = torch.zeros(*ids.shape, 10)
            logits[..., 9] = math.log(ids.shape[1])  # ln(9 + n) in all; every other token has 0
            return type("Output", (), {"logits": logits})()

    class Letters:
        mask_token_id = 8

        def __call__(self, text):
            return {"input_ids": [0, *(int(c) for c in text), 7]}

    pair = Pair("1", more="123", less="13", groups={"direction": "stereo"})
    ((more, less),), passes = _published.crows_pairs(Counting(), Letters(), [pair])
    assert passes == 4  # 1 and 3 are shared; in each sentence either is hidden
    assert more == pytest.approx(-2 * math.log(9 + 5))
    assert less == pytest.approx(-2 * math.log(9 + 4))
