"""Runs on one pool with several settings: what they are called, and what tells them apart."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Final

from tiltmeter.active.pool_runs import PoolRuns, run_folders
from tiltmeter.active.run_files import MANIFEST, RunManifest, SettingValue
from tiltmeter.core.analysis import FolderFacts

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
            return f"{value} votes an item" if value else "all votes"
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
    words = _words_apart(pools)
    named = [(pool.pool_name, some) for pool, some in zip(pools, words, strict=True)]
    again = [named[:place].count(pair) for place, pair in enumerate(named)]
    return [
        ", ".join(filter(None, (some, f"no. {n + 1}" if n else "")))
        for some, n in zip(words, again, strict=True)
    ]


def _words_apart(pools: Sequence[PoolRuns]) -> list[str]:
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
    return [", ".join(some) for some in words]


def named_apart(pools: Sequence[PoolRuns], taken: Collection[str] = ()) -> dict[str, PoolRuns]:
    """Pools by their names; those of one name by the settings in which they differ, or numbered."""
    named: dict[str, PoolRuns] = {}
    for pool, words in zip(pools, _words_apart(pools), strict=True):
        alike = [other for other in pools if other.name == pool.name]
        plain = pool.name if len(alike) == 1 else ", ".join(filter(None, (pool.pool_name, words)))
        same = sum(other == plain or other.startswith(f"{plain} (") for other in (*named, *taken))
        named[f"{plain} ({same + 1})" if same else plain] = pool
    return named


def folder_facts(place: Path) -> Mapping[Path, FolderFacts]:
    """The folders of runs at a place, each with its pool as `data`, its strategies and its settings.

    Settings that are yes or no are "yes" or "no". {} where the place holds no runs.
    """
    return {
        folder: _facts(RunManifest.read(folder), folder)
        for folder in run_folders([place])
        if (folder / MANIFEST).is_file()
    }


def _facts(manifest: RunManifest, folder: Path) -> FolderFacts:
    settings = {
        key: ("no", "yes")[value] if isinstance(value, bool) else str(value)
        for key, value in manifest.settings.items()
    }
    name = str(manifest.pool.get("name") or folder.name)
    return {**settings, "data": name, "strategy": manifest.strategies}
