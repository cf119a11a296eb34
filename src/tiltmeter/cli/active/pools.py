"""active pools: the pools that are known by name, or a description of some."""

from typing import Annotated

from tiltmeter.active.pools.item_choice import VotePoolOptions
from tiltmeter.cli.analyses import Ending, run_analysis
from tiltmeter.cli.console import err, print_json, print_table
from tiltmeter.core.reading.options import Option


def pools(
    inputs: Annotated[list[str] | None, Option(
        "Registered pools of votes, or tables with the columns item, text, annotator, label; none lists all "
        "registered ones.", argument=True, metavar="POOL…")] = None,
    *,
    options: VotePoolOptions,
    ending: Ending,
) -> None:  # fmt: skip
    """Describe data sets with several votes per item, or list the registered ones."""
    if inputs:
        from tiltmeter.analyses.vote_pools import ANALYSIS

        run_analysis(ANALYSIS, inputs, options, ending)
    else:
        _list_pools(as_json=ending.as_json or ending.printed_as == "json")


def _list_pools(*, as_json: bool) -> None:
    """Names, published sizes, and whether the data are on this machine; nothing is read."""
    from tiltmeter.active.pools.registered_pools import POOLS
    from tiltmeter.data.downloads.registry import status

    statuses = {
        name: status(pool.data) if pool.data else "built in" for name, pool in POOLS.items()
    }
    if as_json:
        listed = [
            {
                "name": name, "status": statuses[name], "items": pool.items, "votes": pool.votes,
                "data": pool.data, "about": pool.about,
            }
            for name, pool in POOLS.items()
        ]  # fmt: skip
        print_json({"pools": listed})
        return
    rows = (
        (name, statuses[name], f"{pool.items:,}", f"{pool.votes:,}", pool.about)
        for name, pool in POOLS.items()
    )
    print_table(("name", "status", "items", "votes", "what"), rows, {"name"}, {"items", "votes"})
    err.print("Next: tiltmeter active pools NAME…", style="dim")
