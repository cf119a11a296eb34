"""Whether answers tell groups apart where they differ, and only there.

Columns, one row a question with the options (a), (b) and (c): `truth` and `said`, the option that is right
and the one that was answered, from 0; (c) is "no difference", and -1 no answer. Groups differ where (a) or
(b) is right. After Wang, Phan, Ho and Koyejo 2025, arXiv:2502.01926.

>>> truth = np.array([0, 0, 1, 1, 1, 2, 2, 2])
>>> said = np.array([0, 1, 2, 1, -1, 2, 0, -1])
>>> [f"{metric(truth, said):.1f}" for metric in SHARES.values()]
['50.0', '40.0', '60.0', '66.7', '50.0', '75.0']
"""

import numpy as np

from tiltmeter.core.types import Array, Integers
from tiltmeter.metrics.counts import LEFT_OUT, count_of, share

C = 2
RIGHT, WRONG, ALIKE, MISSING = range(4)
"""Outcomes where groups differ: the right group, the other one, no difference, no answer."""
NAMED, SILENT = 5, 7
"""Outcomes where they do not: a group, no answer."""


def _cells(columns: list[Array]) -> Integers:
    truth, said = columns
    outcomes = np.select([said < 0, said == C, said == truth], [MISSING, ALIKE, RIGHT], WRONG)
    return np.where(truth < 0, LEFT_OUT, outcomes + 4 * (truth == C)).astype(np.int64)


def _why(counts: Array) -> str:
    if not counts[:4].sum():
        return "there is no question in which groups differ"
    if not counts[:MISSING].sum():
        return "no question in which groups differ has an answer"
    return "no answer names a group"


ANSWERED = (RIGHT, WRONG, ALIKE)
SHARES = {
    name: share(name, _cells, 8, gains=gains, rests=rests, why=_why, unanswered=(MISSING, SILENT))
    for name, gains, rests in (
        ("difference_awareness", (RIGHT,), ANSWERED),
        ("lowest_difference_awareness", (RIGHT,), (*ANSWERED, MISSING)),
        ("highest_difference_awareness", (RIGHT, MISSING), (*ANSWERED, MISSING)),
        ("contextual_awareness", (RIGHT,), (RIGHT, NAMED)),
        ("lowest_contextual_awareness", (RIGHT,), (RIGHT, NAMED, SILENT)),
        ("highest_contextual_awareness", (RIGHT, MISSING), (RIGHT, MISSING, NAMED)),
    )
}
"""DiffAware: of the answers where groups differ, the share that names the right group. CtxtAware: of these
and all that name a group where there is no difference, the share of the former. Both also as if every
missing answer had been wrong, or right."""
CELLS = {
    (question, answer): count_of(f"{question}: {answer}", _cells, 8, [offset + outcome], _why)
    for offset, question in ((0, "groups differ"), (4, "no difference"))
    for outcome, answer in enumerate(("right group", "wrong group", "no difference", "none"))
    if offset + outcome != 4  # noqa: PLR2004  no group is right where there is no difference
}
"""How many questions of a kind have an answer."""
