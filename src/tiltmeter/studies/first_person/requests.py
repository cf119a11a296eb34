"""The same request by users of two groups, after Eloundou et al. 2024 (arXiv:2410.19803).

Who asks is said by a name or a sentence about oneself. Each pair of users is an item twice, once for each
order in which their replies are shown to those who compare them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Unpack

import numpy as np

from tiltmeter.core.conventions import Setting, with_defaults
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import WRAP
from tiltmeter.core.errors import BadInput, known_names
from tiltmeter.core.model.conversations import Message, Prompt
from tiltmeter.core.reading.json_text import parsed
from tiltmeter.core.reading.typed_values import Fault
from tiltmeter.core.reading.value_types import Line, Lines, Text, repeated, some
from tiltmeter.core.study import Reading, Source
from tiltmeter.core.text import counted
from tiltmeter.core.types import Groups
from tiltmeter.data.downloads.fetch import joint_sha256
from tiltmeter.data.files.plain_text import lines
from tiltmeter.data.files.toml_file import ListFile
from tiltmeter.data.people.annotator_answers import read_judgments
from tiltmeter.data.people.judgments import AnswerReading
from tiltmeter.data.prompts.prompt_items import names_in, number_setting, whole_setting
from tiltmeter.data.prompts.prompt_set import LARGEST_TEMPERATURE

QUESTIONS = {
    "better": {"first": 1.0, "second": -1.0, "same": 0.0},
    "stereotype": {"first": 1.0, "second": -1.0, "both": 0.0, "neither": 0.0},
}
"""Questions of the form `compare_replies`: which reply an answer is for, 1 the first and -1 the second."""
MOST_VOTES = 12
"""People who judge a pair in one order."""
AT_RANDOM = ("start", "test item")
"""Reasons of `active live` for items drawn at random; all other reasons mean that the item was selected."""
USER, WHO = "{user}", "[user]"
SETTINGS = (
    Setting("comparisons", default="all", summary="Names of comparisons, separated by commas."),
    Setting(
        "told",
        default="first",
        summary="Where users say who they are: first or last in the request, or in an earlier "
        "message, which the system's message quotes.",
        choices=("first", "last", "system"),
    ),
    Setting("drawn", default="0", summary="Seed of the draw of users."),
    Setting("max_tokens", default="200", summary="The longest reply, in tokens."),
    Setting("temperature", default="0", summary="Above 0, replies are drawn."),
    WRAP,
    Setting(
        "people",
        default="",
        summary="answers.csv of a survey with the form compare_replies about this run's pairs.",
    ),
    Setting(
        "asked",
        default="",
        summary="asked.jsonl of `active live`, so that only votes on pairs drawn at random count.",
    ),
)
Votes = Mapping[str, Mapping[str, tuple[tuple[int, float], ...]]]
"""By item and question: the number of each person, and for which reply they are, as in QUESTIONS."""


@dataclass(frozen=True, slots=True)
class UserPrompts:
    """A request by two users."""

    prompts: tuple[Prompt, Prompt]
    masked: Mapping[str, str]
    """Words to mask in replies, as in `PairedRequest`."""


@dataclass(frozen=True, slots=True)
class PairedRequest:
    """One request by two users, and the order in which their replies are shown for comparison."""

    id: str
    request: str
    """What both users ask, without the words that say who they are."""
    prompts: tuple[Prompt, Prompt]
    """The prompts of the first user and of the second."""
    turned: bool
    """Whether the second user's reply is shown first."""
    masked: Mapping[str, str]
    """Words of replies that tell who asked, in any case, and what stands for them."""
    max_tokens: int
    temperature: float = 0.0
    votes: Mapping[str, tuple[tuple[int, float], ...]] = field(default_factory=dict)
    """By question: the number of each person, and 1 for the reply shown first, -1 for the other, or 0."""
    groups: Groups = field(default_factory=dict)
    """Axes to report over: comparison, users, category, order."""
    cluster: str = ""
    """The request: all pairs of users who make it belong together."""
    where: str = ""
    """The file that the item comes from, which error messages name."""
    one_group: UserPrompts | None = None
    """The request by two users of one of the groups; None if that group has a single user."""

    @property
    def texts(self) -> tuple[str, ...]:
        """Both prompts as plain text."""
        return tuple(prompt.plain for prompt in self.prompts)


@dataclass(frozen=True, slots=True)
class UserGroup:
    """Users of one group, and how they say who they are."""

    name: Line
    users: Annotated[Lines, some]
    """Names, or what else is put into `says`."""
    says: Line = f"My name is {USER}."
    masked: Lines = ()
    """Further words that reveal the group, and are masked in replies."""


@dataclass(frozen=True, slots=True)
class UserRequest:
    """What users ask for."""

    id: Line
    text: Text
    category: Line = "requests"


@dataclass(frozen=True, slots=True)
class UserComparison:
    """Groups that are held against each other in pairs; requests take the pairs in turn."""

    name: Line
    sides: Annotated[tuple[tuple[Line, Line], ...], some]


@dataclass(frozen=True, kw_only=True)
class FirstPersonFile(ListFile):
    """Requests, groups of users and comparisons, with what their file says of itself."""

    packaged = ("first_person",)
    manual = "docs/studies/first_person.md"

    requests: Annotated[tuple[UserRequest, ...], some]
    groups: Annotated[tuple[UserGroup, ...], some]
    comparisons: Annotated[tuple[UserComparison, ...], some]
    neutral: Mapping[str, str] = field(default_factory=dict)
    """Words that tell the gender of whoever they are about, and what stands for them."""

    def faults(self) -> Iterator[Fault]:
        """What occurs twice, sentences without a place for the user, and groups without users."""
        yield from repeated("request", [request.id for request in self.requests])
        yield from repeated("group", [group.name for group in self.groups])
        yield from repeated("comparison", [comparison.name for comparison in self.comparisons])
        for group in self.groups:
            if USER not in group.says:
                yield Fault(f"the group {group.name!r} says {group.says!r}", f"write {USER} in it")
        known = {group.name for group in self.groups}
        for name in dict.fromkeys(n for c in self.comparisons for s in c.sides for n in s):
            if name not in known:
                yield Fault(f"there is no group {name!r}, which is compared", "write it")


def load_first_person(
    source: Source = None, *, settings: Mapping[str, str] | None = None, **reading: Unpack[Reading]
) -> Dataset[PairedRequest]:
    """The packaged requests and users, or those of a TOML file of the user's."""
    values = with_defaults(SETTINGS, settings)
    file = FirstPersonFile.named(source, encoding=reading.get("encoding", ""))
    votes: Votes = {}
    sums, about = [file.sha256], {"requests": f"{len(file.requests):,}"}
    if values["people"]:
        votes, sha256, about["people"] = _panel(values)
        sums.append(sha256)
    items = list(paired_requests(file, values, votes))
    if votes and not any(item.votes for item in items):
        way_out = "give answers about pairs exported from a run with the same data and settings"
        raise BadInput("nobody judged a pair of this run", way_out, file=values["people"])
    made = file.dataset(items, about, clusters="request")
    return replace(made, sha256=joint_sha256(sums))


def _panel(values: Mapping[str, str]) -> tuple[Votes, str, str]:
    """People's answers, the file's checksum, and for the data card how many people and pairs there are."""
    path = Path(values["people"])
    read = read_judgments(path, AnswerReading(questions=tuple(QUESTIONS)))
    votes: dict[str, dict[str, tuple[tuple[int, float], ...]]] = {}
    asked = _drawn(Path(values["asked"])) if values["asked"] else {*read.items}
    for question, answers in QUESTIONS.items():
        words = read.words.get(question, ())
        if not words or (unknown := [word for word in words if word not in answers]):
            reason = (
                f"{unknown[0] if words else 'a number'} is no answer to the question {question}"
            )
            raise BadInput(reason, "give answers to the form compare_replies", file=path.name)
        for item, given in zip(read.items, read.answers[question], strict=True):
            who = np.flatnonzero(~np.isnan(given)).tolist()
            if len(who) > MOST_VOTES:
                reason = f"{counted(len(who), 'people')} judged {item}, and at most {MOST_VOTES} are counted"
                raise BadInput(reason, "give the answers of fewer people", file=path.name)
            if item in asked:
                said = tuple((person, answers[words[int(given[person])]]) for person in who)
                votes.setdefault(item, {})[question] = said
    return (
        votes,
        read.sha256,
        f"{counted(len(read.annotators), 'people')}, {counted(len(votes), 'pairs')} that count",
    )


def _drawn(path: Path) -> set[str]:
    """The items that `active live` drew at random."""
    asked: list[Any] = [parsed(line) for line in lines(path)]
    if not all(isinstance(line, Mapping) and {"item", "reason"} <= {*line} for line in asked):
        raise BadInput(
            "is no asked.jsonl", "give that of a folder of `active live`", file=path.name
        )
    return {str(line["item"]) for line in asked if line["reason"] in AT_RANDOM}


def paired_requests(
    file: FirstPersonFile, values: Mapping[str, str], votes: Votes
) -> Iterator[PairedRequest]:
    """Every request in every comparison, in both orders of the replies."""
    known = {"all", *(comparison.name for comparison in file.comparisons)}
    wanted = known_names("comparison", names_in(values["comparisons"]), known)
    groups = {group.name: group for group in file.groups}
    most = whole_setting(values, "max_tokens", 200, 1, 10_000)
    temperature = number_setting(values, "temperature", 0, 0, LARGEST_TEMPERATURE)
    drawn = whole_setting(values, "drawn", 0, 0, 2**32)
    for place, comparison in enumerate(file.comparisons):
        if not {"all", comparison.name} & {*wanted}:
            continue
        for at, request in enumerate(file.requests):
            rng = np.random.default_rng([drawn, place, at])
            sides = [groups[name] for name in comparison.sides[at % len(comparison.sides)]]
            users = [group.users[rng.integers(len(group.users))] for group in sides]
            asked = _asked(request, sides, users, values["told"], file)
            # An own generator, so that the users above are those that they would be without this draw.
            other = np.random.default_rng([drawn, place, at, 1])
            one_group = _of_one_group(request, sides[at % 2], values["told"], file, other)
            about = {
                "comparison": comparison.name, "users": " and ".join(group.name for group in sides),
                "category": request.category,
            }  # fmt: skip
            # in a random order, so that a sample that is spread evenly has both
            for order in rng.permutation(["1 2", "2 1"]).tolist():
                name = f"{request.id}/{place + 1}/{order[0]}"
                yield PairedRequest(
                    name, request.text, asked.prompts, order == "2 1", asked.masked,
                    most, temperature, votes.get(name, {}), {**about, "order": order}, request.id,
                    file.file, one_group,
                )  # fmt: skip


def _of_one_group(
    request: UserRequest, group: UserGroup, told: str, file: FirstPersonFile,
    rng: np.random.Generator,
) -> UserPrompts | None:  # fmt: skip
    """The request by two users of a group, drawn at random."""
    if len(group.users) < 2:  # noqa: PLR2004
        return None
    users = [group.users[at] for at in rng.permutation(len(group.users))[:2]]
    return _asked(request, [group, group], users, told, file)


def _asked(
    request: UserRequest, sides: Sequence[UserGroup], users: Sequence[str], told: str,
    file: FirstPersonFile,
) -> UserPrompts:  # fmt: skip
    first, second = (
        _prompt(request.text, group.says.replace(USER, user), told)
        for group, user in zip(sides, users, strict=True)
    )
    return UserPrompts((first, second), _masked(file, sides, users))


def _prompt(request: str, who: str, told: str) -> Prompt:
    if told == "system":
        earlier = Message("system", f"Earlier, the user wrote: “{who}”")
        return Prompt((earlier, Message("user", request)))
    return Prompt((Message("user", f"{request} {who}" if told == "last" else f"{who} {request}"),))


def _masked(
    file: FirstPersonFile, sides: Sequence[UserGroup], users: Sequence[str]
) -> dict[str, str]:
    words = dict(file.neutral)
    for group, user in zip(sides, users, strict=True):
        words |= dict.fromkeys((user, *user.split(), *group.masked), WHO)
    return words


def sample_first_person() -> Dataset[PairedRequest]:
    """Two requests in two comparisons."""
    whole = FirstPersonFile.named()
    file = replace(whole, requests=whole.requests[:2], comparisons=whole.comparisons[-2:])
    items = [*paired_requests(file, with_defaults(SETTINGS, {"max_tokens": "8"}), {})]
    return file.dataset(items, {}, clusters="request")
