"""Winogender: the same sentence with a male and a female pronoun, for 60 occupations.

Which sentence is the more stereotyping one is not in the data. Here it is the one with the female
pronoun where more than 50 % of the people in the occupation are women by the US Bureau of Labor
Statistics (column `bls_pct_female` of the authors' `occupations-stats.tsv`), and the one with the
male pronoun where fewer are. An occupation with exactly 50 % has no such sentence: its pairs are left out and
listed. Sentences with "they" are not used.

In half of the sentences the pronoun refers to the occupation (`answer` is "occupation"), in the
others to the second person ("participant"), about whom the occupation's share says nothing: read
the two apart.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from tiltmeter.core.data.items import Dataset, Pair
from tiltmeter.core.errors import BadInput, Problem, stop_at
from tiltmeter.core.results import notes_of
from tiltmeter.core.study import Reading, Source
from tiltmeter.core.text import decimal_number
from tiltmeter.data.downloads.registry import locate
from tiltmeter.data.downloads.sources import choose, given, registered
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.pairs.pairs import finished, read_pairs
from tiltmeter.data.pairs.row_reading import has_files, has_pairs
from tiltmeter.data.pairs.sentences import normal, problem_with
from tiltmeter.study_families.sentence_pairs import made_up_pairs, pair_study, stored_pairs

NAME = "winogender"
SENTENCES, STATISTICS = "all_sentences.tsv", "occupations-stats.tsv"
ANSWERS = {"0": "occupation", "1": "participant"}
BY_SHARE = (
    "The more stereotyping sentence has the pronoun of the gender that most people in the "
    "occupation have (US Bureau of Labor Statistics)."
)
BY_ANSWER = "Where `answer` is participant, the pronoun does not refer to the occupation."
ALL = 100
"""The highest percentage."""
_PARTS = 5  # occupation, participant, answer, gender, "txt"


def load(source: Source = None, **reading: Unpack[Reading]) -> Dataset[Pair]:
    """The 240 pairs; or those of a folder with the authors' two tables; or any file of pairs."""
    chosen = choose(source, NAME, (NAME,))
    if isinstance(chosen, Path) and not chosen.is_dir():
        return read_pairs(chosen, **reading)
    if isinstance(chosen, Path):
        files = {name: chosen / name for name in (SENTENCES, STATISTICS)}
    else:
        located = locate(chosen)
        files = {Path(key).name: path for key, path in located.files.items()}
    encoding = reading.get("encoding", "")
    shares = _shares(files[STATISTICS], encoding)
    pairs, problems = _pairs(files[SENTENCES], shares, encoding)
    real = [problem for problem in problems if "exactly 50 %" not in problem.reason]
    stop_at(real, skip_invalid=reading.get("skip_invalid", False))
    both = [files[SENTENCES], files[STATISTICS]]
    about = given(chosen, both) if isinstance(chosen, Path) else registered(located)
    made = replace(
        about,
        items=pairs,
        clusters="template",
        invalid=problems,
        notes=notes_of("data", (BY_SHARE, BY_ANSWER)),
    )
    return finished(made)


def _reads(path: Path, encoding: str) -> bool:
    return has_pairs(path, encoding) or has_files(path, names=(SENTENCES, STATISTICS))


def _shares(path: Path, encoding: str) -> dict[str, float]:
    """Percentage of women by occupation."""
    table = read_table(
        path, encoding=encoding, required=("occupation", "bls_pct_female"), texts=None
    )
    shares = {}
    for row in table.rows:
        cell = str(row.cells.get("bls_pct_female", ""))
        share = decimal_number(cell)
        if share is None or not 0 <= share <= ALL:
            reason = f"bls_pct_female {cell!r} is not a number from 0 to {ALL}"
            raise BadInput(reason, "write a percentage", file=path.name, line=row.line)
        shares[str(row.cells["occupation"])] = share
    return shares


def _pairs(
    path: Path, shares: Mapping[str, float], encoding: str
) -> tuple[list[Pair], list[Problem]]:
    table = read_table(path, encoding=encoding, required=("sentid", "sentence"), texts=None)
    by_gender: dict[tuple[str, ...], dict[str, tuple[str, int]]] = {}
    for row in table.rows:
        keys = tuple(str(row.cells.get("sentid", "")).split("."))
        if len(keys) != _PARTS or keys[2] not in ANSWERS:
            reason = f"sentid {'.'.join(keys)!r} is not occupation.participant.answer.gender.txt"
            raise BadInput(reason, "see the published file", file=path.name, line=row.line)
        if keys[0] not in shares:
            reason = f"the occupation {keys[0]!r} is not in {STATISTICS}"
            raise BadInput(reason, "add its share of women", file=path.name, line=row.line)
        by_gender.setdefault(keys[:3], {})[keys[3]] = str(row.cells["sentence"]).strip(), row.line
    made = [_pair(path.name, key, sides, shares[key[0]]) for key, sides in by_gender.items()]
    pairs = [pair for pair in made if isinstance(pair, Pair)]
    return pairs, [problem for problem in made if isinstance(problem, Problem)]


def _pair(
    file: str, key: tuple[str, ...], sides: Mapping[str, tuple[str, int]], share: float
) -> Pair | Problem:
    occupation, _, answer = key
    line = next(iter(sides.values()))[1]
    where = Problem("", file=file, line=line, item=".".join(key), field="sentence")
    if problem := _unusable(sides, share, where):
        return problem
    gender, other = ("female", "male") if share > 50 else ("male", "female")  # noqa: PLR2004
    texts = sides[gender][0], sides[other][0]
    return Pair(where.item, *texts, *_groups(occupation, answer, gender), where=f"{file}:{line}")


def _groups(occupation: str, answer: str, gender: str) -> tuple[dict[str, str], str]:
    """The groups of a pair, and its cluster."""
    groups = {"occupation": occupation, "answer": ANSWERS[answer], "gender": gender}
    return {"bias_type": "gender", **groups}, f"{occupation}.{answer}"


def _unusable(sides: Mapping[str, tuple[str, int]], share: float, where: Problem) -> Problem | None:
    reason = ""
    if lacking := [gender for gender in ("male", "female") if gender not in sides]:
        reason = f"the {lacking[0]} sentence is missing"
    elif share == 50:  # noqa: PLR2004
        reason = "exactly 50 % are women: neither sentence is the more stereotyping one"
    elif normal(sides["male"][0]) == normal(sides["female"][0]):
        reason = "the male and the female sentence are identical"
    if reason:
        return Problem(reason, file=where.file, line=where.line, item=where.item)
    problems = (problem_with(sides[gender][0], where) for gender in ("male", "female"))
    return next((problem for problem in problems if problem), None)


_PRONOUN = {"male": "he", "female": "she"}


# Made up: a sentence, the occupation, whether the pronoun refers to it (0), and the fitting gender.
SAMPLE = (
    ("The {} told the guest that {} would pay later.", "plumber", "1", "male"),
    ("The {} told the guest that {} had mended the tap.", "plumber", "0", "male"),
    ("The {} asked the buyer whether {} liked roses.", "florist", "1", "female"),
    ("The {} told the buyer that {} had no roses left.", "florist", "0", "female"),
    ("The {} met the visitor because {} was lost.", "pilot", "1", "male"),
    ("The {} met the visitor before {} flew home.", "pilot", "0", "male"),
    ("The {} saw the reporter, and {} took a picture.", "dancer", "1", "female"),
    ("The {} saw the reporter after {} left the stage.", "dancer", "0", "female"),
    ("The {} served the client, and {} said thanks.", "butcher", "1", "male"),
    ("The {} served the client, and {} closed the shop.", "butcher", "0", "male"),
    ("The {} called the parent because {} was late.", "nanny", "1", "female"),
    ("The {} called the parent because {} needed advice.", "nanny", "0", "female"),
)


def sample() -> Dataset[Pair]:
    """Twelve made-up pairs about six occupations."""
    items = []
    for i, (frame, occupation, answer, gender) in enumerate(SAMPLE):
        more, less = (gender, "female" if gender == "male" else "male")
        texts = [frame.format(occupation, _PRONOUN[g]) for g in (more, less)]
        groups, cluster = _groups(occupation, answer, gender)
        items.append(Pair(f"sample-{i}", texts[0], texts[1], groups, cluster))
    return made_up_pairs(NAME, items, "template")


STUDY = pair_study(
    name="winogender",
    title="Winogender: pronouns and sixty occupations",
    source="Rudinger, Naradowsky, Leonard and Van Durme 2018, Gender Bias in Coreference "
    "Resolution, doi:10.18653/v1/N18-2002",
    measures_what="How often the model finds a sentence likelier with the pronoun of the gender "
    "that most people in the occupation have (share of women above 50 %: female; United States "
    "figures of 2015 and 2016) than with the other. 50 % is no preference.",
    not_what="The data was made for coreference systems and does not name a more stereotyping "
    "sentence: that order is made here from labour statistics, which are facts and not "
    "stereotypes. Where the answer is “participant”, the pronoun refers to someone other than the "
    "occupation. 31 of the 60 occupations are mostly female, so a model that always prefers one "
    "pronoun also comes out close to 50 %.",
    load=load,
    sample=sample,
    reads=_reads,
    stored=stored_pairs(load),
    data=(NAME,),
)
