"""The command that reads logs of other programs."""

from tiltmeter.cli.machinery.command_entries import CommandEntry as Command
from tiltmeter.cli.machinery.command_entries import Panels

PANELS: Panels = {
    "Measure": (
        Command("import", "bridges.logs:import_",
            "Evaluate logs of other programs; several of one task are compared.", before="merge"),
    ),
}  # fmt: skip
