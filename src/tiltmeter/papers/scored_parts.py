"""Which part of a study a result is of, and whether the numbers of a table are by one rule."""

from collections.abc import Mapping, Sequence

from tiltmeter.core.finder import find, known
from tiltmeter.core.results import Card
from tiltmeter.core.study import Study

TASK = "task"


def scored_task(card: Card) -> str:
    """The only task that a result's rule scores, though its convention has rules for others; "" for a whole.

    An ensemble is scored on the tasks that all its members are scored on.
    """
    if card.study not in known("studies"):
        return ""
    study: Study[object] = find("studies", card.study, "STUDY")
    tasks = {rule.name: rule.task for rule in study.rules}
    how = next((c for c in study.conventions if c.name == card.convention), study.conventions[0])
    whole = {tasks[name] for name in how.rules or tasks}
    members: Sequence[Mapping[str, str]] = card.model.get("members") or [{"rule": card.rule}]
    scored = [
        {tasks[name] for name in member["rule"].split("+") if name in tasks} for member in members
    ]
    common = set.intersection(*scored)
    return min(common) if len(common) == 1 < len(whole - {""}) else ""


def by_different_rules(rules: Mapping[str, Mapping[str, None]]) -> str:
    """That numbers of different models are by different rules; "" where there are not two.

    >>> by_different_rules({"pll_all": {"BERT": None}, "pll_shared": {"RoBERTa": None, "ALBERT": None}})
    'Models are scored by different rules: pll_all (BERT), pll_shared (RoBERTa, ALBERT).'
    """
    if len(rules) < 2:  # noqa: PLR2004
        return ""
    each = (f"{rule} ({', '.join(models)})" for rule, models in rules.items())
    return f"Models are scored by different rules: {', '.join(each)}."
