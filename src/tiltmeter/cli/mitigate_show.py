"""What a folder of a mitigation holds, on the terminal or as JSON."""

import shlex
from pathlib import Path

from tiltmeter.cli.console import out, print_json
from tiltmeter.core.errors import BadInput


def show_mitigation(folder: Path, *, as_json: bool) -> None:
    """Print what the folder holds and the command that measures it; or its description."""
    from tiltmeter.models.mitigated import DESCRIPTION, PROMPTED, read
    from tiltmeter.report.documents.mitigation import directions_document, prompts_document
    from tiltmeter.report.terminal import print_document

    made = read(folder)
    if made.method != PROMPTED:
        made.projection()  # damage is reported here and not only when a study runs
    if as_json:
        print_json(made.description)
        return
    build = prompts_document if made.method == PROMPTED else directions_document
    try:
        document = build(made.description)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise BadInput(
            f"its description of a mitigation is incomplete ({type(error).__name__}: {error})",
            "create it again",
            file=str(folder / DESCRIPTION),
        ) from error
    print_document(document, out)
    say_how_to_measure(made.model, f"mitigated:{folder}")


def say_how_to_measure(model: str, mitigated: str) -> None:
    """The command that runs a study on the model and on what was made of it."""
    command = shlex.join(["tiltmeter", "run", "STUDY", model, mitigated])
    out.print(f"Measure it: {command}", soft_wrap=True)
