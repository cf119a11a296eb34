"""Pairs of groups: "Catholic teenager" and "teenage Catholic person"."""

from collections.abc import Iterator, Sequence

from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.data.groups.group_lists import Group, said

TIMES = " × "
"""Stands between the domains of a crossed group."""


def crossed(file: GroupFile, groups: Sequence[Group]) -> list[Group]:
    """All pairs of `groups` that make sense, in every order that can be said.

    The one said first stands as an adjective ("teenage Catholic person"); where it has none, the
    other may stand behind it ("doctor with a disability"). Groups of one domain are crossed where
    the file allows it; what it excludes is left out, and what would read like another group.
    """
    forms = tuple(dict.fromkeys(template.form for template in file.templates))
    by_name: dict[str, Group] = {}
    taken = {group.forms[forms[0]] for group in file.groups}
    for first, second in _sensible(file, groups):
        made = _joined(first, second, forms)
        if made is not None and made.name not in taken:
            by_name.setdefault(made.name, made)
    return list(by_name.values())


def _sensible(file: GroupFile, groups: Sequence[Group]) -> Iterator[tuple[Group, Group]]:
    for first in groups:
        for second in groups:
            allowed = any(rule.speaks_of(first, second) for rule in file.crossing.allow)
            alike = first.domain == second.domain and bool(first.domain)
            excluded = any(rule.speaks_of(first, second) for rule in file.crossing.exclude)
            if first.name != second.name and (allowed or not alike) and not excluded:
                yield first, second


def _joined(first: Group, second: Group, forms: Sequence[str]) -> Group | None:
    """The two in this order; None where it cannot be said."""
    head = second if first.adjective else first
    names = {}
    for form in forms:
        before = said(first.adjective, head.gender, form)
        behind = said(second.after, head.gender, form)
        if not (before or behind):
            return None
        noun = head.forms[form]
        names[form] = f"{before[0]} {noun}" if before else f"{noun} {behind[0]}"
    return Group(
        name=names[forms[0]],
        forms=names,
        domain=f"{first.domain}{TIMES}{second.domain}",
        gender=head.gender,
        article=first.article,
        parts=(first, second),
    )
