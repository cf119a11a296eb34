"""Equal requests of studies that run at the same time are made by one of them."""

from threading import Thread

from tiltmeter.run.asking.executors import Batch
from tiltmeter.run.asking.requests_under_way import RequestsUnderWay


def batch(*keys):
    return Batch(tuple(key.encode() for key in keys), keys, len(keys))


def test_a_batch_with_a_request_of_another_study_is_left_to_it():
    under_way, seen = RequestsUnderWay(), []
    with under_way.claimed(1, [batch("a", "b"), batch("c")]) as first:
        assert first == ([batch("a", "b"), batch("c")], [])
        with under_way.claimed(1, [batch("b", "d"), batch("e")]) as second:
            assert second == ([batch("e")], [batch("b", "d")])
        with under_way.claimed(2, [batch("a")]) as of_another_model:
            assert of_another_model == ([batch("a")], [])
        waiting = Thread(target=lambda: (under_way.wait(1, [batch("b", "d")]), seen.append("on")))
        waiting.start()
        assert seen == []
    waiting.join(20)
    assert seen == ["on"]
    under_way.wait(1, [batch("a", "b")])  # nothing is under way any more
