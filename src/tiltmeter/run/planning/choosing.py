"""Chooses the rule that scores a model, its convention and its settings, before any model is loaded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Generic, TypeVar, get_args

from tiltmeter.core.conventions import Convention, Setting
from tiltmeter.core.errors import BadInput, CannotAnswer, UnknownName
from tiltmeter.core.model.questions import ability
from tiltmeter.core.rules import Rule, joined
from tiltmeter.core.study import Study
from tiltmeter.core.types import Ties

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Chosen(Generic[T]):
    """The choices that identify a number: a rule, a convention, a policy for ties and the settings."""

    rule: Rule[T]
    convention: Convention
    ties: Ties
    settings: Mapping[str, str] = field(default_factory=dict)
    """The values of all the study's settings, by name."""


def every_need(study: Study[Any]) -> list[type]:
    """The model protocols that the study's rules need, under any convention."""
    by_convention = [need for how in study.conventions for need in how.needs.values()]
    return [*(rule.needs for rule in study.rules), *by_convention]


def ties_named(name: str | None) -> Ties | None:
    """The policy for ties with this name; None if no name is given.

    Raises:
        UnknownName: There is no such policy.
    """
    known: dict[str, Ties] = {policy: policy for policy in get_args(Ties)}
    if name is not None and name not in known:
        raise UnknownName("policy for ties", name, known)
    return None if name is None else known[name]


def settings_of(
    study: Study[Any],
    given: Mapping[str, str],
    convention: str | None = None,
    rule: Rule[Any] | None = None,
) -> dict[str, str]:
    """The values of all settings: the user's, else the convention's, else the default.

    Those of rules are among them where they are the rule's, or, without a rule, where they are given.

    Raises:
        UnknownName: The study has no such setting, or the setting no such choice.
        BadInput: A setting is no number as it has to be, or only other rules have it.
    """
    known = study.every_setting
    how = next((c for c in study.conventions if c.name == convention), study.conventions[0])
    ours = (*study.settings, *(rule.settings if rule else ()))
    settings = {s.name: how.settings.get(s.name, s.default) for s in ours}
    for name, value in given.items():
        if name not in known:
            raise UnknownName(f"setting of {study.name}", name, known)
        if rule and name not in settings:
            others = ", ".join(r.name for r in study.rules if known[name] in r.settings)
            reason = f"--set {name} has no effect under the rule {rule.name}"
            raise BadInput(reason, f"leave it out, or choose a rule that has it: {others}")
        _check_value(known[name], value)
        settings[name] = value
    return settings


def _check_value(setting: Setting, value: str) -> None:
    if setting.choices and value not in setting.choices:
        raise UnknownName(f"choice for {setting.name}", value, setting.choices)
    if setting.between:
        least, most = setting.between
        if not (value.isascii() and value.isdigit() and least <= int(value) <= most):
            reason = f"--set {setting.name}={value} is not a whole number from {least} to {most:,}"
            raise BadInput(reason, f"write --set {setting.name}={setting.default}")


def choose(
    study: Study[T],
    answers: Sequence[type],
    *,
    model: str,
    rule: str | None = None,
    convention: str | None = None,
    ties: Ties | None = None,
    settings: Mapping[str, str] | None = None,
) -> Chosen[T]:
    """The rule asked for, or the first that is usual for the model, with its convention and settings.

    `rule` may join rules for different tasks with "+", and name alternatives separated by commas: the first
    that the model can answer is used.

    Raises:
        UnknownName: There is no such rule, convention or policy for ties.
        BadInput: The convention does not define the rule.
        CannotAnswer: The model lacks what the rule needs.
    """
    rules = {r.name: r for r in study.rules}
    conventions = {c.name: c for c in study.conventions}
    asked = [one.split("+") for one in alternatives(rule)]
    names = [*dict.fromkeys(chain.from_iterable(asked))]
    for name in names:
        if name not in rules:
            raise UnknownName("rule", name, rules)
    if convention is not None and convention not in conventions:
        raise UnknownName("convention", convention, conventions)
    how = conventions[convention] if convention else study.conventions[0]
    silent = [name for name in names if how.rules and name not in how.rules]
    if silent:
        raise BadInput(
            f"the convention {how.name!r} does not define the rule {silent[0]!r}",
            f"it defines {', '.join(how.rules)}; leave out --convention or change --rule",
        )
    tasks = list(dict.fromkeys(r.task for r in study.rules))
    for one in asked:
        _check_together([rules[name] for name in one])
        # Sorted by task, so that A+B and B+A are the same rule with the same name.
        one.sort(key=lambda name: tasks.index(rules[name].task))
    sets = [tuple(one) for one in asked] or _defaults(study, how)
    needs = {name: how.needs.get(name, rules[name].needs) for some in sets for name in some}
    able = [some for some in sets if all(needs[name] in answers for name in some)]
    usual = [some for some in able if all(rules[n].usual_for in {None, *answers} for n in some)]
    best = able if asked else usual or able
    if not able:
        lacking = [n for some in sets for n in some if needs[n] not in answers]
        wanted = {name: needs[name] for name in lacking}
        short = dict.fromkeys(ability(needs).partition(", as")[0] for needs in wanted.values())
        refusal = _refusal(model, study, how, wanted, answers, asked=bool(asked))
        raise CannotAnswer(refusal, lacks=f"cannot {', or '.join(short)}")
    chosen = joined([rules[name] for name in best[0]])
    everything = settings_of(study, settings or {}, how.name, chosen)
    return Chosen(chosen, how, ties_named(ties) or how.ties, everything)


def alternatives(rule: str | None) -> list[str]:
    """The rules of which the first that a model can answer is used, as users write them.

    >>> alternatives("blank_logprob+next_sentence,blank_logprob")
    ['blank_logprob+next_sentence', 'blank_logprob']
    """
    return [] if rule is None else [one.strip() for one in rule.split(",")]


def _defaults(study: Study[T], how: Convention) -> list[tuple[str, ...]]:
    """Sets of rules in order of preference: those that the study uses together, then single rules.

    A convention that stands for published numbers has their rules, and none that only some models are given.
    """
    ours = how is study.conventions[0]
    spoken = how.rules or [r.name for r in study.rules if ours or r.usual_for is None]
    together = [some for some in study.together if all(name in spoken for name in some)]
    return [*together, *((name,) for name in spoken)]


def _check_together(rules: Sequence[Rule[T]]) -> None:
    """Refuse rules that are named together but score the same items."""
    tasks = [rule.task for rule in rules]
    if len(rules) > 1 and ("" in tasks or len(set(tasks)) < len(tasks)):
        names = " and ".join(rule.name for rule in rules)
        raise BadInput(
            f"the rules {names} score the same items",
            "name one, or one for each task joined by + (blank_logprob+next_sentence)",
        )


def _abilities(wanted: Mapping[str, type]) -> str:
    """What a model must be able to do for these rules, in words; alternatives are joined by "or"."""
    return "; or ".join(dict.fromkeys(map(ability, wanted.values())))


def _refusal(
    model: str,
    study: Study[T],
    how: Convention,
    wanted: Mapping[str, type],
    answers: Sequence[type],
    *,
    asked: bool,
) -> str:
    """Why the rules in `wanted`, which the user may have asked for, cannot score the model, and which can."""
    lacking = ", ".join(repr(name) for name in wanted)
    usual = {r.name: r.needs for r in study.rules}
    spoken = how.rules or tuple(usual)
    here = [name for name in spoken if how.needs.get(name, usual[name]) in answers]
    anywhere = [name for name, needs in usual.items() if needs in answers]
    under = f" under the convention {how.name!r}" if how.needs or how.rules else ""
    hints = []
    if here:
        hints.append(f"Rules it can answer{under}: {', '.join(here)}.")
    if under and anywhere:
        hints.append(f"Without --convention it can also answer: {', '.join(anywhere)}.")
    abilities = _abilities(wanted)
    if not hints:
        hints.append("`tiltmeter ls MODEL` lists the studies that a model can answer.")
        if not asked:
            needed = f"{study.name} cannot measure {model}: it needs a model that can {abilities}."
            return f"{needed} {hints[0]}"
    needed = (
        f"{model} cannot be scored by {lacking}{under}: that needs a model that can {abilities}."
    )
    return " ".join([needed, *hints])
