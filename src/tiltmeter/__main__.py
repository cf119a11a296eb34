"""`tiltmeter` and `python -m tiltmeter`."""

import os
import signal
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line. No Ctrl-C gives a traceback, however early or late it comes.

    The first one stops the command, which stores what it has and says how to continue. A second one ends
    what the command still waits for, or the process itself.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not ignored, as by nohup
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from tiltmeter.cli import INTERRUPTED  # noqa: PLC0415 after the signal is set
    from tiltmeter.cli import main as run  # noqa: PLC0415

    try:
        try:
            run()
        finally:
            for stop in (signal.SIGINT, signal.SIGTERM):
                if signal.getsignal(stop) is not signal.SIG_IGN:
                    signal.signal(stop, lambda *_: os._exit(INTERRUPTED))
    except KeyboardInterrupt:  # while the first was being reported
        os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
