"""Rules for baselines, which rank the candidates themselves: no text is scored."""

from collections.abc import Sequence

from tiltmeter.core.data.items import Pair, Triple
from tiltmeter.core.model.protocols import Ranks
from tiltmeter.core.records import Record
from tiltmeter.core.rules import Context, Rule
from tiltmeter.scoring.contexts import record
from tiltmeter.scoring.pairs import record as pair_record


def _rank_triples(model: Ranks, triples: Sequence[Triple], _: Context) -> list[Record]:
    scores = model.candidate_scores(triples)  # (n, 3)
    return [record(triple, row.tolist()) for triple, row in zip(triples, scores, strict=True)]


def _rank_pairs(model: Ranks, pairs: Sequence[Pair], _: Context) -> list[Record]:
    scores = model.candidate_scores([_as_triple(pair) for pair in pairs])[:, :2]  # (n, 2)
    both = zip(pairs, scores.tolist(), strict=True)
    return [pair_record(pair, {"more": more, "less": less}) for pair, (more, less) in both]


def _as_triple(pair: Pair) -> Triple:
    """The pair as a triple with an empty unrelated candidate; its category stands in for the target term."""
    term = pair.groups.get("bias_type", "")
    return Triple(pair.id, "intrasentence", "", (pair.more, pair.less, ""), term, "")


TRIPLES: Rule[Triple] = Rule(
    "ranked",
    Ranks,
    _rank_triples,
    at_once=True,
    summary="The baseline ranks the three candidates itself; no text is scored.",
    source="Nadeem et al. 2021, section 5.3, doi:10.18653/v1/2021.acl-long.416",
)
"""One of the baselines takes turns within each term, so all are ranked together."""
PAIRS: Rule[Pair] = Rule(
    "ranked",
    Ranks,
    _rank_pairs,
    at_once=True,
    summary="The baseline ranks the two sentences itself; no text is scored.",
    source="Nadeem et al. 2021, section 5.3, doi:10.18653/v1/2021.acl-long.416",
)
