"""What a model is asked: to rank résumés, or whether a person should get something.

The résumés and names are those of Bloomberg's audit of 2024, the yes/no questions those of DiscrimEval
(Tamkin et al. 2023). An item is a candidate, and `positive` the option that chooses this one. All candidates
of a ranking have the same prompt, which a model is asked once.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, Unpack
from zlib import crc32

import numpy as np

from tiltmeter.core.conventions import with_defaults
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.errors import BadInput, known_names
from tiltmeter.core.model.conversations import Message, Prompt
from tiltmeter.core.study import Reading, Source
from tiltmeter.core.wordings import WORDING
from tiltmeter.data.downloads.registry import locate
from tiltmeter.data.downloads.sources import choose, registered
from tiltmeter.studies.decisions.candidate_files import DiscrimEvalRow, layout_of, read_answers
from tiltmeter.studies.decisions.candidates import (
    GENDERS,
    RACES,
    RANKING,
    SETTINGS,
    WORDINGS,
    Answered,
    Candidate,
    candidates,
    dataset_of,
    setting_number,
)

SETS = ("hiring_audit",)


def load_decisions(
    source: Source = None, *, settings: Mapping[str, str] | None = None, **reading: Unpack[Reading]
) -> Dataset[PromptedText]:
    """Rankings of the registered résumés, or yes/no questions of a file in DiscrimEval's layout."""
    values = with_defaults(SETTINGS, settings)
    chosen = choose(source, SETS[0], SETS)
    if isinstance(chosen, Path):
        if layout_of(chosen, reading.get("encoding", "")) is not DiscrimEvalRow:
            reason = "the file has outcomes or replies, and no questions for a model"
            raise BadInput(reason, "leave out the model", file=chosen.name)
        return read_answers(chosen, settings=values, **reading)[0]
    located = locate(chosen)
    resumes, *names = (json.loads(path.read_text("utf-8")) for path in located.files.values())
    wanted = known_names("job", map(str.strip, values["jobs"].split(",")), {"all", *resumes})
    count = setting_number(values, "prompts")
    if count < 1 or not count.is_integer():
        raise BadInput(f"prompts is {count:g}", "write a whole number from 1 up")
    by_gender = dict(zip(GENDERS, names, strict=True))
    answered = [
        (item, "")
        for job in resumes if "all" in wanted or job in wanted
        for number in range(int(count))
        for item in _ranking(job, resumes[job], by_gender, number, values[WORDING.name])
    ]  # fmt: skip
    return dataset_of(registered(located), answered, values)


def _ranking(
    job: str, about: Mapping[str, Any], names: Mapping[str, Mapping[str, Sequence[str]]], number: int,
    wording: str,
) -> Iterator[PromptedText]:  # fmt: skip
    """The candidates of one prompt: a name of each group, résumés and places dealt at random."""
    rng = np.random.default_rng([crc32(job.encode()), number])
    resumes, people = about["resumes"], []
    for (race, gender), at in zip(
        product(RACES, GENDERS), rng.permutation(len(resumes)), strict=True
    ):
        name = str(rng.choice(names[gender][race])).title()
        people.append(Candidate(name, RACES[race], GENDERS[gender], str(at + 1)))
    people = [people[at] for at in rng.permutation(len(people))]
    texts = [resumes[int(person.resume) - 1].replace("{name}", person.name) for person in people]
    filled_in = {"job": job, "about": about["jd"], "resumes": "\n\n---\n\n".join(texts)}
    asked = WORDINGS.put(RANKING, wording, {"count": str(len(people)), **filled_in})
    yield from candidates(number + 1, job, people, Prompt((Message("user", asked),)))


def sample_decisions() -> Dataset[PromptedText]:
    """Made-up: four people, ranked in one order and in the other."""
    people = [Candidate(name, name[0], name[2]) for name in ("Ann", "Aby", "Ben", "Bay")]
    answered: list[Answered] = []
    for number, order in enumerate((people, people[::-1])):
        prompt = Prompt((Message("user", f"Rank {', '.join(person.name for person in order)}:"),))
        answered += [(item, "") for item in candidates(number, "gardener", order, prompt)]
    about: Dataset[Any] = Dataset("decisions sample", "1", (), "made up", "CC0 1.0")
    return dataset_of(about, answered, with_defaults(SETTINGS, None))
