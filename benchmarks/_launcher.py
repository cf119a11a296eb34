"""Starts a command from a small process, so that the memory of the one that measures is not counted.

The peak memory of a process begins at that of the process that starts it. Run as
`python -I -S benchmarks/_launcher.py DESCRIPTOR COMMAND…`; what the command used is written to the file
descriptor as a JSON list: exit code, seconds of processor time, the most kilobytes in memory (bytes on macOS)
and blocks of 512 bytes written.
"""

import json
import os
import sys


def main(descriptor: int, command: list[str]) -> None:
    """Run the command and write what it used."""
    # Not by `subprocess`: importing it would make this process three times as large.
    process = os.posix_spawn(command[0], command, os.environ)
    _, status, usage = os.wait4(process, 0)
    code = os.waitstatus_to_exitcode(status)
    used = [code, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, usage.ru_oublock]
    os.write(descriptor, json.dumps(used).encode())


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
