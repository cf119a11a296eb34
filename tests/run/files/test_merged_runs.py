"""Memory and ids of many records; the rest is tested through the command."""

import tracemalloc

import pytest

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput
from tiltmeter.core.records import Record
from tiltmeter.data.memory import spool
from tiltmeter.data.memory.spool import Spool
from tiltmeter.run.files import folder as folders
from tiltmeter.run.files import merged_runs, records_table
from tiltmeter.run.files.merged_runs import merge
from tiltmeter.run.measuring.measure import summarise
from tiltmeter.run.planning.choosing import choose, every_need
from tiltmeter.studies import pairs

STUDY = pairs.STUDY
CHOSEN = choose(STUDY, every_need(STUDY), model="m")


@pytest.fixture
def part(tmp_path, monkeypatch):
    """A run folder whose items are numbered from `start` to `stop`."""
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path))

    def made(start, stop):
        records = Spool(
            Record,
            (
                Record(f"{i}", {"more": -i % 7, "less": -3.0}, {"bias_type": "age"},
                       texts={"more": f"The {i} sat." * 9, "less": "The man ran." * 9})
                for i in range(start, stop)
            ),
        )  # fmt: skip
        name = f"{start}-{stop}"
        data = Dataset(name, "", range(len(records)), name, "", sha256=name)
        facts = {"name": "m", "fingerprint": "f", "kind": "fake"}
        result = summarise(STUDY, records, data, chosen=CHOSEN, seed=0, model=facts)
        return folders.write(result, tmp_path / name, page="")

    return made


def peak_of(parts):
    tracemalloc.start()
    try:
        assert len(merge(parts).records) > 0
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_memory_hardly_grows_with_the_number_of_records(part, monkeypatch):
    monkeypatch.setattr(spool, "PORTION", 64)
    monkeypatch.setitem(Spool.__init__.__kwdefaults__, "kept", 64)
    monkeypatch.setattr(records_table, "AT_ONCE", 500)
    few = peak_of([part(0, 2_000), part(2_000, 4_000)])
    many = peak_of([part(5_000, 9_000), part(9_000, 13_000)])
    assert (many - few) / 4_000 < 100  # a record takes more than a thousand bytes


def test_equal_digests_of_different_ids_are_no_overlap(part, monkeypatch):
    class SameDigest:
        def __init__(self, *_, **__):
            pass

        def digest(self):
            return bytes(8)

    parts = [part(0, 30), part(30, 60)]
    monkeypatch.setattr(merged_runs, "blake2b", SameDigest)
    assert [record.item for record in merge(parts).records] == [str(i) for i in range(60)]
    parts.append(part(0, 20))
    with pytest.raises(BadInput, match="share item ids"):
        merge(parts)
