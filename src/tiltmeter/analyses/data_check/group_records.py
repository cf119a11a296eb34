"""Records of what a file of groups or premises lists: groups, traits, templates, situations."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tiltmeter.core.records import Record
from tiltmeter.data.files.toml_file import has_tables
from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.data.groups.premises import PremiseFile, PremiseGroup


def group_lists(path: Path, encoding: str) -> GroupFile | PremiseFile | None:
    """The groups or premises of a packaged set or of the user's file; None for other data."""
    kinds: dict[str, type[GroupFile | PremiseFile]] = {
        "pairs": GroupFile,
        "situations": PremiseFile,
    }
    for table, kind in kinds.items():
        if str(path) in kind.packaged:
            return kind.named(str(path))
        if path.is_file() and has_tables(path, encoding, names=(table,)):
            return kind.named(path, encoding=encoding)
    return None


def group_records(lists: GroupFile | PremiseFile) -> Iterator[Record]:
    """Groups by domain, and what goes with them.

    That is, for groups, pairs of traits by dimension with further words for each, and templates by family;
    for premises, situations by kind, and the labels of groups that have several.
    """
    domains: dict[str, list[str]] = {}
    for group in lists.groups:
        labels = group.labels if isinstance(group, PremiseGroup) else (group.name,)
        domains.setdefault(group.domain, []).extend(labels)
    for domain, names in domains.items():
        scores, texts = {"groups": float(len(names))}, {"names": ", ".join(names)}
        yield Record(domain, scores, {"domain": domain}, texts=texts, kind="groups")
    if isinstance(lists, PremiseFile):
        for named in lists.groups:
            if len(named.labels) > 1:
                texts = {"labels": ", ".join(named.labels)}
                places = {"domain": named.domain, "group": named.name}
                yield Record(named.name, {}, places, texts=texts, kind="labels")
        for situation in lists.situations:
            places = {"kind": situation.kind, "situation": situation.text}
            yield Record(situation.text, {}, places, kind="situations")
        return
    for pair in lists.pairs:
        left, right = _words(pair.left), _words(pair.right)
        traits = {"dimension": pair.dimension, "left trait": left, "right trait": right}
        others = {
            "other left words": _words(pair.more_left),
            "other right words": _words(pair.more_right),
        }
        yield Record(f"{left} - {right}", {}, traits, texts=others, kind="traits")
    for template in lists.templates:
        names_of = {"family": template.family, "template": template.name}
        yield Record(template.name, {}, names_of, kind="templates")


def _words(by_form: Mapping[str, Sequence[str]]) -> str:
    """The words in the first grammatical form that the file gives."""
    return ", ".join(next(iter(by_form.values()), ()))
