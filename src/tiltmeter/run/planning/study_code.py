"""Failures of the code in a user's file of a study, in words instead of a traceback."""

import traceback
from pathlib import Path

from tiltmeter.core.errors import BadInput

MODULE = "study_file_"
"""The names of modules that files of studies are run as begin with this."""
FIX = "correct the file"


def code_failure(error: BaseException) -> BadInput | None:
    """What to say of an error that arose in the code of a study's file, or in what that code called.

    It names the file, the line and the function of the file. None of an error that arose elsewhere.
    """
    steps = [
        (frame, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if str(frame.f_globals.get("__name__")).startswith(MODULE)
    ]
    if not steps:
        return None
    frame, line = steps[-1]
    name = frame.f_code.co_name
    function = "" if name.startswith("<") else f" in {name}()"
    *_, said = traceback.TracebackException.from_exception(error).format_exception_only()
    reason = f"its code fails{function}: {said.strip()}"
    way_out = "" if reason.endswith("?") else FIX  # Python suggests a name itself
    return BadInput(reason, way_out, file=Path(frame.f_code.co_filename).name, line=line)
