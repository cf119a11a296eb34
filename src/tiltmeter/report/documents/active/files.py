"""Active learning as plain values, for the files beside the page."""

from collections.abc import Sequence
from dataclasses import asdict

from tiltmeter.active.json_lines import finite
from tiltmeter.active.pool_result import MeasureResult, PoolResult
from tiltmeter.core.types import Array
from tiltmeter.report.document import Json, Table
from tiltmeter.report.documents.active.verdicts import verdict_file
from tiltmeter.report.documents.active.votes import votes_file


def active_json(results: Sequence[PoolResult], *, command: str) -> Json:
    """What active.json holds and --json prints.

    Args:
        results: One for each folder of runs.
        command: The command that makes it again.
    """
    return {"command": command, "pools": [_of_pool(result) for result in results]}


def file_tables(results: Sequence[PoolResult]) -> dict[str, Table]:
    """Votes to every target and all verdicts, by the names of their files."""
    return {"votes": votes_file(results), "verdicts": verdict_file(results)}


def _of_pool(result: PoolResult) -> Json:
    manifest = result.manifest
    return {
        "folder": result.folder.name,
        "pool": dict(manifest.pool),
        "labels": list(manifest.labels),
        "settings": dict(manifest.settings),
        "seeds": list(result.seeds),
        "votes": list(result.votes),
        "against": result.against,
        "floor": result.floor,
        "measures": {name: _of_measure(found) for name, found in result.measures.items()},
        "reannotated": {name: _rows(rates) for name, rates in result.again.items()},
        "f_ent_above_h": {name: _rows(rates) for name, rates in result.underestimated.items()},
        "f_ent_skill": {name: skill.tolist() for name, skill in result.skill.items()},
        "verdicts": [
            {
                "claim": v.claim.number, "text": v.claim.text, "published": v.claim.published,
                "measure": v.measure, "verdict": v.word, "borne_out": v.bears_out,
                "censored": v.censored, "estimate": asdict(v.estimate),
            }
            for v in result.verdicts
        ],
    }  # fmt: skip


def _of_measure(found: MeasureResult) -> Json:
    return {
        "losses": {name: _rows(c.losses) for name, c in found.curves.strategies.items()},
        "full_data": found.curves.full.tolist(),
        "targets": [
            {"kind": t.kind, "loss": t.loss, "votes": [asdict(row) for row in t.votes]}
            for t in found.targets
        ],
        "ratios": [asdict(row) for row in found.ratios],
        "differences": [asdict(e) for e in found.differences],
    }


def _rows(values: Array) -> list[list[float | None]]:
    return [[finite(v) for v in row] for row in values]
