"""The tables of intersectional groups for files: every cell, every group and every two domains."""

from tiltmeter.analysis.intersections.emergent_traits import as_columns
from tiltmeter.analysis.intersections.summary import Intersections
from tiltmeter.report.columns import file_table
from tiltmeter.report.document import Column, Table
from tiltmeter.report.documents.intersections.order import known


def file_tables(made: Intersections) -> dict[str, Table]:
    """Every cell, every intersectional group and every two domains, by the names of their files."""
    scores, taus = made.scores, made.taus
    cells = as_columns(scores, made.emergent)
    order = file_table("Order", range(len(scores.intersectional)), {
        "crossed": lambda i: scores.intersectional[i],
        "first": lambda i: scores.singles[scores.first[i]],
        "second": lambda i: scores.singles[scores.second[i]],
        "tau_first": lambda i: known(taus.first[i]),
        "tau_second": lambda i: known(taus.second[i]),
        "tau_reversed": lambda i: known(taus.reversed[i]),
    })  # fmt: skip
    domains = file_table("Domains", made.domains, {
        "domain": lambda d: d.domain,
        "other": lambda d: d.other,
        "n": lambda d: d.difference.n,
        "tau": lambda d: known(d.tau),
        "other_tau": lambda d: known(d.other_tau),
        "difference": lambda d: d.difference.value,
        "low": lambda d: d.difference.low,
        "high": lambda d: d.difference.high,
    })  # fmt: skip
    emergent = Table("Emergent traits", [Column(name, values) for name, values in cells.items()])
    return {"emergent": emergent, "order": order, "domains": domains}
