"""Which runs are of one model trained with several seeds: by the facts of their cards, or by their names."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tiltmeter.core.errors import BadInput
from tiltmeter.core.results import Card, Result

SEED, BASE, TRAINED_ON = "training seed", "trained from", "trained on"
"""Facts on the card of a classifier that Tiltmeter trained."""
_IN_NAME = re.compile(r"^(.*?)[-_./ ]*seed[-_=. ]?(\d+)(.*)$", re.IGNORECASE)
"""A seed in the name of a checkpoint: google/multiberts-seed_3, pythia-160m-seed3."""


@dataclass(frozen=True, slots=True)
class SeedSet:
    """Runs of one study, of one model that was trained with several seeds."""

    name: str
    """The model that was trained, or the name that the user gives these checkpoints."""
    data: str
    """What a classifier was trained on; "" of other models."""
    study: str
    runs: dict[str, Result] = field(default_factory=dict)
    """The run of each seed, by the seed as the name or card of the model has it."""

    @property
    def what(self) -> str:
        """What tables call the set: its name, and of classifiers what they were trained on."""
        return f"{self.name} trained on {self.data}" if self.data else self.name


def seed_sets(results: Sequence[Result], checkpoints: Mapping[str, str]) -> list[SeedSet]:
    """The sets of seeds, in the order of their first runs.

    Args:
        results: Runs of studies.
        checkpoints: By name a pattern of models' names, such as {"cda": "bert-cda-*"}; the seed is what the
            star stands for. Other models are one set if their names differ in a number behind "seed" alone.

    Raises:
        BadInput: A model's name tells no seed, a seed is there twice, or seeds were asked different items,
            by different rules or with different settings.
    """
    sets: dict[tuple[str, str, str], SeedSet] = {}
    asked: dict[tuple[str, str], tuple[object, ...]] = {}
    for result in results:
        card = result.card
        name, data, seed = _place(card, checkpoints)
        seeds = sets.setdefault((name, data, card.study), SeedSet(name, data, card.study))
        texts = (card.data.get("sha256"), card.data.get("sample"), card.rule, card.convention, card.ties,
                 *sorted(card.settings.items()))  # fmt: skip
        # Classifiers of different data have test texts of their own; the sets of other models share theirs.
        if asked.setdefault((data, card.study), texts) != texts:
            whose = f"classifiers trained on {data}" if data else "these models"
            raise BadInput(
                f"{whose} were asked different texts, by different rules or with other settings, in these "
                f"runs of {card.study}",
                "average the runs on each set of texts by themselves",
            )
        if seed in seeds.runs:
            raise BadInput(
                f"{card.study}: seed {seed} of {seeds.what} is there twice",
                "give each run once, of models of one training",
            )
        seeds.runs[seed] = result
    return [*sets.values()]


def _place(card: Card, checkpoints: Mapping[str, str]) -> tuple[str, str, str]:
    """The name of the set, what it was trained on, and the seed."""
    matches = {
        name: found for name, pattern in checkpoints.items()
        if (found := re.fullmatch(re.escape(pattern).replace(r"\*", "(.*)"), card.model_name))
    }  # fmt: skip
    if len(matches) > 1:
        raise BadInput(
            f"{card.model_name} is one of the checkpoints {' and of '.join(matches)}",
            "write patterns that match each model once",
        )
    if matches:
        ((name, match),) = matches.items()
        return name, "", " ".join(match.groups()) or card.model_name
    if card.model.keys() >= {SEED, BASE, TRAINED_ON}:
        return str(card.model[BASE]), str(card.model[TRAINED_ON]), str(card.model[SEED])
    found = _IN_NAME.match(card.model_name)
    if found is None:
        raise BadInput(
            f"{card.model_name} is no classifier that Tiltmeter trained, and its name has no seed as "
            "in multiberts-seed_3",
            "say which models are seeds of one: --checkpoints NAME=PATTERN",
        )
    return f"{found[1]}{found[3]}", "", str(int(found[2]))
