"""`tiltmeter` and `python -m tiltmeter`."""

import signal
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line; Ctrl-C while it is being imported ends the process without a traceback."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not ignored, as by nohup
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from tiltmeter.cli import main as run  # noqa: PLC0415 after the signal is set

    run()


if __name__ == "__main__":
    main()
