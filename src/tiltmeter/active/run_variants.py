"""Runs on one pool with several settings: what they are called, and what tells them apart."""

from collections.abc import Collection, Sequence
from typing import Final

from tiltmeter.active.pool_runs import PoolRuns
from tiltmeter.active.run_files import SettingValue
from tiltmeter.core.text import counted

IN_ORDER: Final = ("agreed_only", "pool_votes", "entropy_items", "predictor", "encoder", "budget")
"""Settings that tell runs apart before others do: the others often follow from them."""


def setting_words(name: str, value: SettingValue) -> str:
    """A setting as the key of a picture has it.

    >>> setting_words("pool_votes", 3), setting_words("entropy_items", 25), setting_words("every", 100)
    ('3 votes an item', '25 items for f_ent', 'every 100')
    """
    match name:
        case "agreed_only":
            return "agreed items" if value else "all items"
        case "pool_votes":
            return f"{counted(int(value), 'votes')} an item" if value else "all votes"
        case "entropy_items":
            return f"{value} items for f_ent"
        case "votes_each":
            return f"{value} votes each"
        case _:
            return f"{name.replace('_', ' ')} {value}"


def variants(pools: Sequence[PoolRuns]) -> list[str]:
    """For each, the settings that tell it apart from others on the same pool; "" where there is no other.

    A setting is left out where those before it tell the same runs apart already; what no setting tells apart
    is numbered.
    """
    words: list[list[str]] = [[] for _ in pools]
    for name in dict.fromkeys(pool.pool_name for pool in pools):
        alike = [place for place, pool in enumerate(pools) if pool.pool_name == name]
        settings = [pools[place].manifest.settings for place in alike]
        for key in dict.fromkeys((*IN_ORDER, *(key for some in settings for key in some))):
            before = [tuple(words[place]) for place in alike]
            after = [(*b, some.get(key)) for b, some in zip(before, settings, strict=True)]
            if len({*after}) > len({*before}):
                for place, some in zip(alike, settings, strict=True):
                    words[place].append(setting_words(key, some.get(key)))
    return _numbered([(pool.pool_name, ", ".join(w)) for pool, w in zip(pools, words, strict=True)])


def _numbered(named: Sequence[tuple[str, str]]) -> list[str]:
    """The second of each pair, numbered from the second pair of a kind on."""
    numbered = []
    for place, pair in enumerate(named):
        same = list(named[:place]).count(pair)
        numbered.append(" ".join(filter(None, (pair[1], f"({same + 1})" if same else ""))))
    return numbered


def named_apart(pools: Sequence[PoolRuns], taken: Collection[str] = ()) -> dict[str, PoolRuns]:
    """Pools by their names; those of one name by the settings in which they differ, or numbered."""
    named: dict[str, PoolRuns] = {}
    for pool, variant in zip(pools, variants(pools), strict=True):
        alike = [other for other in pools if other.name == pool.name]
        plain = pool.name if len(alike) == 1 else ", ".join(filter(None, (pool.pool_name, variant)))
        plain = plain.replace(", (", " (")
        same = sum(other == plain or other.startswith(f"{plain} (") for other in (*named, *taken))
        named[f"{plain} ({same + 1})" if same else plain] = pool
    return named
