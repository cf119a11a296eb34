"""Commands in processes that are forked from one in which the libraries are loaded already.

Starting Python and loading PyTorch takes longer than most of what the fault tests interrupt.
"""

import multiprocessing
import os
import signal
import sys
import traceback

LOADED = ["tiltmeter.cli", "tiltmeter.run.jobs", "torch", "transformers", __name__]


def context():
    """Where processes are forked; loading happens once, at the first."""
    found = multiprocessing.get_context("forkserver")
    found.set_forkserver_preload(LOADED)
    return found


class Command:
    """A command in a process group of its own; what it prints goes into the file `said` in its folder."""

    def __init__(self, folder, *args):
        self.said = folder / "said"
        self.said.touch()
        words = ["tiltmeter", *map(str, args)]
        self._process = context().Process(target=_main, args=(words, folder, dict(os.environ)))
        self._process.start()

    def ended(self, seconds):
        """Wait for so long at most; gives the exit code, or None."""
        self._process.join(seconds)
        return self._process.exitcode

    def kill(self):
        """SIGKILL to it and all that it has started; gives the exit code."""
        while self._process.is_alive() and os.getpgid(self._process.pid) != self._process.pid:
            pass  # it has hardly begun
        if self._process.is_alive():
            os.killpg(self._process.pid, signal.SIGKILL)
        return self.ended(60)


def _main(words, folder, environment):
    os.setsid()
    os.environ |= environment
    os.environ["TILTMETER_CACHE"] = str(folder / "cache")
    os.chdir(folder)
    with (folder / "said").open("wb", buffering=0) as said:
        for stream in (1, 2):
            os.dup2(said.fileno(), stream)
    sys.argv = words
    from tiltmeter.__main__ import main

    try:
        main()
    except SystemExit:
        raise
    except BaseException:
        traceback.print_exc()
        raise
