"""One name for what sources name differently: aliases, categories of bias, and rules that mean the same."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches

from tiltmeter.analyses.correlate.points import NAMED, Observation, Over
from tiltmeter.core.conventions import PAPER
from tiltmeter.core.data.category_names import joined_note, names_to_join
from tiltmeter.core.errors import BadInput
from tiltmeter.core.results import Card
from tiltmeter.core.text import listed


def measure_name(quantity: str, card: Card, rules: Sequence[str]) -> str:
    """A number of a run with how it was scored: "sos sos_rate (pll_shared)"."""
    how = [name for name in (" or ".join(rules), card.convention) if name not in {"", PAPER.name}]
    return f"{quantity} ({', '.join(how)})" if how else quantity


def renamed(observations: Sequence[Observation], aliases: Mapping[str, str]) -> list[Observation]:
    """Observations with the second name of each alias in place of the first, for models and groups.

    Raises:
        BadInput: No model and no group has the first name.
    """
    there = {name for o in observations for name in (o.model, o.group) if name}
    for name in aliases:
        if name not in there:
            near = get_close_matches(name, there, n=1)
            hint = f"did you mean {near[0]!r}?" if near else "it is a name as its source spells it"
            raise BadInput(f"--alias: no model and no group is named {name!r}", hint)
    return [
        replace(o, model=aliases.get(o.model, o.model), group=aliases.get(o.group, o.group))
        for o in observations
    ]


def join_categories(observations: Sequence[Observation]) -> tuple[list[Observation], list[str]]:
    """Groups with the usual name of each category that sources spell in several ways, and a note on them."""
    by_source: dict[tuple[str, str], set[str]] = {}
    for o in observations:
        by_source.setdefault((o.where, o.measure), set()).add(o.group)
    joined = names_to_join([*by_source.values()])
    return [replace(o, group=joined.get(o.group, o.group)) for o in observations], joined_note(
        joined
    )


def join_rules(
    observations: Sequence[Observation], over: Over
) -> tuple[list[Observation], list[str], list[str]]:
    """Measures by several rules as one, where the study declares that the rules mean the same.

    Over groups each model is a measure of its own anyway. Where one model has numbers by two of the rules,
    these stay apart: each is then wanted for itself.

    Returns:
        The observations, what was joined, and which measures stay apart and why, a sentence each.
    """
    kinds: dict[tuple[object, ...], dict[str, list[Observation]]] = {}
    cards: dict[tuple[object, ...], Card] = {}
    for o in observations:
        if o.origin and over != "groups":
            card = o.origin.result.card
            kind = o.quantity, card.convention, o.facts
            kinds.setdefault(kind, {}).setdefault(card.rule, []).append(o)
            if card.alike or kind not in cards:
                cards[kind] = card
    names: dict[int, str] = {}
    joined: dict[str, list[str]] = {}
    """By the reason the quantities that it is about."""
    apart = []
    for of, by_rule in kinds.items():
        card, quantity = cards[of], next(iter(by_rule.values()))[0].quantity
        models = {rule: [o.model for o in some] for rule, some in by_rule.items()}
        alike = [rule for rule in card.alike if rule in by_rule]
        twice = [m for m, n in Counter(m for r in alike for m in {*models[r]}).items() if n > 1]
        if len(alike) > 1 and not twice:
            name = measure_name(quantity, card, alike)
            names |= {id(o): name for rule in alike for o in by_rule[rule]}
            why = (
                f"numbers by {_listed({r: models[r] for r in alike})} are taken as one measure, "
                f"because {card.study} declares that these rules mean the same. Differences between the "
                "models may still come from the rules."
            )
            joined.setdefault(why, []).append(quantity)
            models[" or ".join(alike)] = [m for rule in alike for m in models.pop(rule)]
        if len({frozenset(some) for some in models.values()}) > 1:
            why = (
                f"{twice[0]} has numbers by both" if twice
                else f"{card.study} does not declare that the rules mean the same"
            )  # fmt: skip
            apart.append(
                f"{quantity}: numbers by {_listed(models)} are different measures, because {why}. "
                "To have all models in one measure, score them by one rule (--rule), or correlate each kind "
                "of model by itself."
            )
    notes = [f"{'; '.join(quantities)}: {why}" for why, quantities in joined.items()]
    return [replace(o, measure=names.get(id(o), o.measure)) for o in observations], notes, apart


def _listed(models: Mapping[str, Sequence[str]]) -> str:
    """Rules with the models that were scored by each: "a (bert) and b (gpt2, …)"."""
    named = []
    for rule, of_rule in models.items():
        some = [*dict.fromkeys(of_rule)]
        named.append(f"{rule} ({', '.join(some[:NAMED])}{', …' if len(some) > NAMED else ''})")
    return listed(named)
