"""Groups, pairs of traits and templates of a file, as tables."""

from collections.abc import Mapping, Sequence

from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.report.columns import TableRows
from tiltmeter.report.document import Table


def group_list_tables(lists: GroupFile) -> list[Table]:
    """Groups by domain, pairs by dimension with further words for each trait, templates by family."""
    domains: dict[str, list[str]] = {}
    for group in lists.groups:
        domains.setdefault(group.domain, []).append(group.name)
    groups, pairs = TableRows(list(domains.items())), TableRows(lists.pairs)
    templates = TableRows(lists.templates)
    return [
        Table(
            "Groups",
            [
                groups.words("domain", lambda row: row[0]),
                groups.counts("groups", lambda row: len(row[1]), drop=1),
                groups.words("names", lambda row: ", ".join(row[1])),
            ],
            name="groups",
        ),
        Table(
            "Pairs of traits",
            [
                pairs.words("dimension", lambda pair: pair.dimension),
                pairs.words("left trait", lambda pair: _words(pair.left)),
                pairs.words("right trait", lambda pair: _words(pair.right)),
                pairs.words("other left words", lambda pair: _words(pair.more_left), drop=1),
                pairs.words("other right words", lambda pair: _words(pair.more_right), drop=1),
            ],
            name="traits",
        ),
        Table(
            "Templates",
            [
                templates.words("family", lambda template: template.family),
                templates.words("template", lambda template: template.name),
            ],
            name="templates",
            most=100,
        ),
    ]  # fmt: skip


def _words(said: Mapping[str, Sequence[str]]) -> str:
    """The words in the first form in which they are given."""
    return ", ".join(next(iter(said.values()), ()))
