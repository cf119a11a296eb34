"""Commands that choose which items get the next votes."""

from tiltmeter.cli.machinery.command_entries import CommandEntry as Command
from tiltmeter.cli.machinery.command_entries import GroupEntry as Group
from tiltmeter.cli.machinery.command_entries import Panels

PANELS: Panels = {
    "Ask people": (
        Group("active", "Choose which items get the next votes of annotators.", (
            Command("report", "analyses:active_report",
                "Compare strategies: votes to a target, learning curves, queries, verdicts on a "
                "paper’s claims."),
            Command("pools", "active.pools:pools",
                "Describe data sets with several votes per item, or list the registered ones."),
            Command("simulate", "active.simulate:simulate",
                "Simulate active learning on data with several votes per item. After a stop, it continues.",
                keeps=True),
        )),
    ),
}  # fmt: skip
