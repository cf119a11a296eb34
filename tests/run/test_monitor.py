"""Progress and warnings during a run."""

from tiltmeter.run.monitor import Logged
from tiltmeter.run.stored_answers.cached_model import NoProgress


def test_progress_of_the_log_is_none():
    with Logged().questions("fake") as progress:
        assert isinstance(progress, NoProgress)
