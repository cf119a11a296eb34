"""What type checkers read of `tiltmeter.analyse`, src/tiltmeter/api/analyse.pyi, from what analyses declare.

    python -m goldens.of_analyse [--write]

in `tests` shows what differs from the file, or writes it anew.
"""

import subprocess
import sys
from collections.abc import Sequence
from inspect import Parameter
from pathlib import Path
from textwrap import indent

from goldens.outputs import difference
from tiltmeter.api.analyse import ELSEWHERE
from tiltmeter.api.analysis_functions import documentation_of, signature_of
from tiltmeter.core.analysis import Analysis
from tiltmeter.core.finder import find, ours

STUB = Path(__file__).parents[2] / "src" / "tiltmeter" / "api" / "analyse.pyi"
START = '''\
"""All analyses as functions. In `tests`, `python -m goldens.of_analyse --write` writes this file."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from tiltmeter.api.analysis_calls import AnalysisInput
from tiltmeter.api.items import Table
from tiltmeter.api.results import RunResult
from tiltmeter.run.monitor import Monitor
'''


def stub() -> str:
    """The file."""
    names = [name for name in ours("analyses") if name not in ELSEWHERE]
    functions = [_function(find("analyses", name, "ANALYSIS")) for name in names]
    text = "\n\n".join([START, *functions])
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(STUB), "-"]
    return subprocess.run(command, input=text, text=True, capture_output=True, check=True).stdout


def _function(analysis: Analysis) -> str:
    signature = signature_of(analysis)
    inputs, *options = signature.parameters.values()
    words = [f"*inputs: {inputs.annotation}", *map(_written, options)]
    documentation = indent(documentation_of(analysis), "    ").strip()
    return (
        f"def {analysis.name}({', '.join(words)}) -> {signature.return_annotation}:\n"
        f'    r"""{documentation}\n    """\n'
    )


def _written(option: Parameter) -> str:
    simple = option.default is None or isinstance(option.default, str | int | float | tuple)
    return f"{option.name}: {option.annotation} = {repr(option.default) if simple else '...'}"


def changes() -> str:
    """How the file differs from what analyses declare."""
    return difference(STUB.name, STUB.read_text("utf-8") if STUB.is_file() else "", stub())


def main(given: Sequence[str]) -> None:
    """As the module says."""
    if text := changes():
        print(text)
    if "--write" in given:
        STUB.write_text(stub(), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
