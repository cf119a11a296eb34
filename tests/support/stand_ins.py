"""Back-ends for tests of workers: slow, deadly or different, as the reference says.

`stand_in:HOW,FOLDER` is a made-up masked model, `stand_in:HOW,FOLDER,MODEL` a real one. FOLDER is
where they tell what happens to them. HOW:

- slow: takes its time over each batch, and writes its process id into FOLDER first
- once: the first batch that any process is asked ends that process
- deadly: every batch ends its process
- changing: each time it is opened it is another model
"""

import os
import signal
import time
from pathlib import Path

from tiltmeter.core.model.protocols import Attends, FillsBlanks, ReadsUnhidden
from tiltmeter.core.model.questions import facts_and_lookups
from tiltmeter.models import fake
from tiltmeter.models.opening.open_model import open_model, resolve

SECONDS = 0.1


def answers(location):
    del location
    return (FillsBlanks, ReadsUnhidden, Attends)


def load(location, options=None, *, name="", note=""):
    del name, note
    how, folder, *model = location.split(",")
    real = model and open_model(resolve(model[0], options), options)
    return StandIn(real or fake.load("masked", name="stand-in"), how, Path(folder))


class StandIn:
    def __init__(self, model, how, folder):
        self._model, self._how, self._folder = model, how, folder
        if how == "changing":
            self.fingerprint = f"opened by {os.getpid()}"

    def __getattr__(self, name):
        if not any(name in names for names in facts_and_lookups()):
            raise AttributeError(name)
        return getattr(self._model, name)

    def blank_logprobs(self, requests):
        if self._how == "slow":
            with (self._folder / "pids").open("a") as told:
                told.write(f"{os.getpid()}\n")
            time.sleep(SECONDS)
        if self._how == "once":
            try:
                (self._folder / "died").touch(exist_ok=False)
            except FileExistsError:
                return self._model.blank_logprobs(requests)
        if self._how in {"once", "deadly"}:
            os.kill(os.getpid(), signal.SIGKILL)
        return self._model.blank_logprobs(requests)


def install(folder):
    """As another package would offer it; `folder` must then be on the path."""
    info = folder / "stand_ins-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stand-ins\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[tiltmeter.models]\nstand_in = support.stand_ins\n")
    return folder
