"""The command that makes a paper's tables."""

from tiltmeter.cli.machinery.command_entries import CommandEntry as Command
from tiltmeter.cli.machinery.command_entries import Panels

PANELS: Panels = {
    "Measure": (
        Command("replicate", "papers.replicate:replicate",
            "Recompute a paper's tables and figures beside the printed numbers.", keeps=True),
    ),
}  # fmt: skip
