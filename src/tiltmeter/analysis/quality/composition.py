"""The description of a data set as estimates and records: counts by axis, checks, sentiment, agreement."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from tiltmeter.analysis.quality import annotations, labels, sentiment
from tiltmeter.analysis.quality.contents import Contents, Description
from tiltmeter.analysis.quality.pairs import Quality
from tiltmeter.analysis.quality.triples import Described
from tiltmeter.core.errors import known_names
from tiltmeter.core.items import Dataset, Pair, Triple
from tiltmeter.core.judges import NEUTRAL
from tiltmeter.core.quantity import quantity
from tiltmeter.core.results import Estimate, Inference, Record
from tiltmeter.core.text import counted
from tiltmeter.core.types import Groups
from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.data.groups.premises import PremiseFile, PremiseGroup
from tiltmeter.data.pairs.pair_checks import WARNED

ITEMS = quantity("items", "Items", decimals=0, least=0)
IDENTITY = "identity"
"""The axis of whom a pair names."""
SHARE = quantity("share", "Share of all items", "share", unit="%")
FLAGGED = quantity("flagged", "Pairs flagged by the checks", "flagged", counts="pairs", unit="%")
MARKED = quantity("marked", "Pairs that a check marks", "pairs", counts="pairs", decimals=0)
DISTANT = quantity(
    "distant", f"Pairs that differ in more than {WARNED} characters", counts="pairs", unit="%"
)
ANNOTATED = quantity("annotated", "Pairs by annotations", "pairs", counts="pairs", decimals=0)
PEOPLE = quantity("people", "Writers and annotators", "number", counts="pairs", decimals=0)
TERMS = quantity("terms", "Target terms", "terms", counts="triples", decimals=0)
WORDS = quantity("words", "Words of a candidate with its context", "mean words", decimals=2)
ODD = quantity("odd", "Contexts of an unusual form", "contexts", counts="triples", decimals=0)
NOT_NEGATIVE = quantity(
    "not_negative",
    "Sentences that are positive or neutral",
    "positive or neutral",
    counts="sentences",
    unit="%",
)
ANSWERED = quantity("answers", "Labels that people gave", "labels", counts="labels", decimals=0)
PASSING = quantity(
    "passing", "Triples with so many agreeing labels on every sentence", "triples", counts="triples",
    decimals=0,
)  # fmt: skip
QUANTITIES = (
    ITEMS, SHARE, FLAGGED, MARKED, DISTANT, ANNOTATED, annotations.NAMED, annotations.TYPE,
    annotations.ALPHA, PEOPLE, TERMS, WORDS, ODD, *sentiment.SHARES.values(), NOT_NEGATIVE,
    *sentiment.DIFFERENCES.values(), labels.AGREEMENT, labels.ALPHA, labels.KAPPA, ANSWERED, PASSING,
)  # fmt: skip
Texts: TypeAlias = Callable[[Any], Mapping[str, str]]


def numbers(found: Description) -> Iterator[Estimate]:
    """Every number of a description, how many items there are first."""
    if isinstance(found, Quality):
        yield from _counts(found.pairs, found.groups)
        yield from _of_pairs(found)
    elif isinstance(found, Described):
        yield ITEMS.at(found.triples, n=found.triples)
        yield from _of_triples(found)
    else:
        yield from _counts(found.items, found.groups)


def _counts(total: int, groups: Mapping[str, Mapping[str, int]]) -> Iterator[Estimate]:
    yield from _counted(ITEMS, total, total, {})
    for axis, by_value in groups.items():
        for value, n in by_value.items():
            yield from _counted(ITEMS, n, total, {axis: value})


def _counted(of: Any, n: int, total: int, place: Groups, verdict: str = "") -> Iterator[Estimate]:
    """How many, and their share of all."""
    yield of.at(n, n=total, groups=place, verdict=verdict)
    yield SHARE.at(100 * n / total, n=total, groups=place)


def _of_pairs(found: Quality) -> Iterator[Estimate]:
    total = found.pairs
    yield FLAGGED.at(100 * found.flagged / total, n=total)
    for kind, n in sorted(found.flagged_by_type.items()):
        of_kind = found.groups["bias_type"][kind]
        yield FLAGGED.at(100 * n / of_kind, n=of_kind, groups={"bias_type": kind})
    yield DISTANT.at(100 * found.beyond / total, n=total)
    for check in found.checks:
        place = {"check": check.name.replace("_", " ")}
        verdict = "flag" if check.suspicious else "note"
        yield from _counted(MARKED, check.pairs, total, place, verdict)
    if (v := found.votes) is None:
        return
    yield from (v.agreement_named, v.agreement_type, v.alpha_type)
    kinds = {
        **{f"{counted(n, 'annotators')} naming a type": k for n, k in v.by_named.items()},
        "published type named most often": v.most_named,
        "published type tied with another": len(v.tied),
        "published type outvoted": len(v.outvoted),
        "published type named by nobody": len(v.unnamed),
        "two types named twice or more": len(v.intersectional),
        "fewer than three votes at best": len(v.not_accepted),
        "judged by their own writer": len(v.own_judge),
    }
    for kind, n in kinds.items():
        yield from _counted(ANNOTATED, n, v.pairs, {"annotations": kind})
    people = {
        "writers": v.writers, "pairs by the busiest writer": v.largest_writer,
        "writers of half the pairs": v.half_by, "writers and annotators": v.people,
    }  # fmt: skip
    for who, n in people.items():
        yield PEOPLE.at(n, n=v.pairs, groups={"who": who})


def _of_triples(found: Described) -> Iterator[Estimate]:
    for part in found.by_domain:
        if part.groups:
            yield ITEMS.at(part.triples, n=found.triples, groups=part.groups)
        yield TERMS.at(part.terms, n=part.triples, groups=part.groups)
        yield WORDS.at(part.words, n=part.triples, groups=part.groups)
    for (domain, target), n in found.by_term.items():
        yield ITEMS.at(n, n=found.triples, groups={"domain": domain, "target": target})
    for kind, members in found.odd.items():
        yield from _counted(ODD, len(members), found.triples, {"form": kind})
    if found.sentiment is not None:
        yield from found.sentiment.estimates
        yield from map(_complement, found.sentiment.all(sentiment.SHARES["negative"]))
    if found.labels is not None:
        yield from _of_labels(found.labels)


def _of_labels(people: labels.Judged) -> Iterator[Estimate]:
    yield from (people.agreement, people.alpha, people.kappa)
    for axis, by_value in (("task", people.by_task), ("domain", people.by_domain)):
        yield from (replace(e, groups={axis: value}) for value, e in by_value.items())
    for term in people.terms:
        yield replace(term.agreement, groups={"domain": term.domain, "target": term.name})
    for gold, answers in people.answers.items():
        for answer, n in answers.items():
            yield ANSWERED.at(
                n, n=sum(answers.values()), groups={"published": gold, "answer": answer}
            )
    for least, n in people.passing.items():
        yield from _counted(PASSING, n, people.triples, {"agreeing": f"{least} or more"})


def _complement(e: Estimate) -> Estimate:
    """What is not negative counts as positive in the published counts."""
    low, high = (None if end is None else 100 - end for end in (e.high, e.low))
    interval = Inference(low, high, interval=e.interval)
    return NOT_NEGATIVE.at(100 - (e.value or 0.0), interval, n=e.n, groups=e.groups)


def listed(
    found: Description, data: Dataset[Any], items: Sequence[str], *, show_text: bool
) -> list[Record]:
    """Lists beside the numbers: lengths, examples of what is odd, keywords; texts only with `show_text`.

    Args:
        found: What is known of the data.
        data: Its items.
        items: Ids of items to list.
        show_text: Whether records have the texts of their items.

    Raises:
        UnknownName: An item that is to be listed is not there.
    """
    texts: Texts = _texts if show_text else lambda _: {}
    by_id = {item.id: item for item in data.items} if items else {}
    known_names("item", items, by_id)
    records = [
        Record(name, {}, {**getattr(by_id[name], "groups", {}), "item": name}, texts=texts(by_id[name]),
               kind="item")
        for name in items
    ]  # fmt: skip
    if isinstance(found, Quality):
        records += _identities(data.items)
        for name, (fewest, median, most) in (
            ("words in a sentence", found.words),
            ("characters that differ within a pair", found.distance),
        ):
            scores = {"fewest": float(fewest), "median": float(median), "most": float(most)}
            records.append(Record(name, scores, {"length": name}, kind="length"))
        records += [
            Record(e.id, {}, {"check": check.name.replace("_", " "), "item": e.id},
                   texts={"reason": e.reason, "more": e.more, "less": e.less} if show_text else {},
                   kind="example")
            for check in found.checks for e in check.examples
        ]  # fmt: skip
    elif isinstance(found, Described):
        records += [
            Record(t.id, {}, {"form": kind, "item": t.id}, texts=texts(t), kind="odd")
            for kind, members in found.odd.items() for t in members
        ]  # fmt: skip
        records += [
            Record(t.id, {}, {"item": t.id}, texts=texts(t), kind="failing") for t in found.failing
        ]
        records += [
            Record(w.word, {"keyness": w.keyness, "stereotypes": w.stereotypes,
                            "anti_stereotypes": w.anti_stereotypes, "terms": w.terms},
                   {"domain": domain, "word": w.word}, kind="keyword")
            for domain, words in (found.keywords.domains if found.keywords else {}).items() for w in words
        ]  # fmt: skip
    elif found.lists is not None:
        records += _lists(found.lists)
    return records


def _identities(items: Sequence[Any]) -> Iterator[Record]:
    """Whom pairs name, by the other axes of these."""
    by_place: dict[tuple[tuple[str, str], ...], dict[str, None]] = {}
    for item in items:
        if name := item.groups.get(IDENTITY):
            place = tuple(at for at in item.groups.items() if at[0] != IDENTITY)
            by_place.setdefault(place, {})[name] = None
    for place, names in by_place.items():
        scores, texts = {"identities": float(len(names))}, {"names": ", ".join(names)}
        yield Record(
            " ".join(v for _, v in place), scores, dict(place), texts=texts, kind="identities"
        )


def _lists(lists: GroupFile | PremiseFile) -> Iterator[Record]:
    """Groups by domain, and what is said of them.

    That is pairs of traits by dimension with further words for each, and templates by family; or situations
    by kind, and the labels of groups that have several.
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


def _words(said: Mapping[str, Sequence[str]]) -> str:
    """The words in the first form in which they are given."""
    return ", ".join(next(iter(said.values()), ()))


def _texts(item: Any) -> dict[str, str]:
    if isinstance(item, Pair):
        return {"more": item.more, "less": item.less}
    if isinstance(item, Triple):
        stereotype, anti_stereotype, unrelated = item.sentences
        return {
            "context": item.context, "stereotype": stereotype, "anti_stereotype": anti_stereotype,
            "unrelated": unrelated,
        }  # fmt: skip
    return {"text": text} if (text := getattr(item, "text", "")) else {}


def missing(found: Description) -> list[str]:
    """Why a part of the description is missing."""
    why = found.why if isinstance(found, Described) else {}
    return [f"{what.capitalize()}: not available, {reason}" for what, reason in why.items()]


def problems(found: Description) -> list[str]:
    """What was left out and what else there is to know."""
    left_out = [] if isinstance(found, Quality) else [f"left out: {p}" for p in found.problems]
    return [*left_out, *found.notes]


def facts(found: Description) -> dict[str, object]:
    """Counts that belong to the whole data set."""
    if isinstance(found, Contents):
        return dict(found.about)
    people = found.labels if isinstance(found, Described) else None
    if people is None:
        return {}
    return {
        "labels": people.labels, "annotators": people.people, "triples with labels": people.triples,
        "triples without labels": people.unlabelled,
        "sentences by number of labels": {str(k): n for k, n in people.by_number.items()},
    }  # fmt: skip


def how(found: Description) -> str:
    """By which instruments sentences were rated and words compared."""
    if not isinstance(found, Described):
        return ""
    texts = []
    if (moods := found.sentiment) is not None:
        rated = ", ".join(f"{term} {value:+.2f}" for term, value in moods.terms.items())
        texts.append(
            f"Sentiment is rated by {moods.instrument}, which rates {moods.rates}; neutral is closer to 0 "
            f"than {NEUTRAL:g}."
            + (
                f" Target terms that are rated themselves, and tint their sentences: {rated}."
                if rated
                else ""
            )
        )
    if (words := found.keywords) is not None:
        texts.append(
            f"Keywords occur {words.least} times or more in stereotypes and anti-stereotypes. Keyness is "
            f"Kilgarriff’s, against {words.reference} with k = {words.k:g}: 1 is as often as there."
        )
    return "\n\n".join(texts)
