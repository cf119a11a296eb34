"""The command that asks people for the votes that active learning wants."""

from tiltmeter.cli.machinery.command_entries import CommandEntry as Command
from tiltmeter.cli.machinery.command_entries import GroupEntry as Group
from tiltmeter.cli.machinery.command_entries import Panels

PANELS: Panels = {
    "Ask people": (
        Group("active", "", (
            Command("live", "active_live.live:live",
                "Ask people to label the items that a strategy picks. After a stop, it continues.",
                keeps=True, before="simulate"),
        )),
    ),
}  # fmt: skip
