"""Exports of Argilla: records with responses by user, as JSON, JSON lines or a table of a hub data set."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tiltmeter.core.errors import BadInput
from tiltmeter.core.text import counted
from tiltmeter.data.people.exports.exported import Export, plain_value, ranked

PROGRAM = "Argilla"
ENDING, SUGGESTED = ".responses", ".suggestion"
SUBMITTED = "submitted"
SPANS, UNANSWERED = "span responses", "unanswered records"


def is_record(first: Mapping[str, Any]) -> bool:
    """Whether an object is a record with responses in one of Argilla's four layouts.

    >>> is_record({"fields": {"text": "A"}, "responses": {"tone": [{"user_id": "u", "value": 3}]}})
    True
    >>> is_record({"tone.responses": [3], "tone.responses.users": ["u"]})
    True
    >>> is_record({"text": "A", "label": ["x"]})
    False
    """
    responses = first.get("responses")
    if isinstance(responses, list | Mapping) and {"fields", "suggestions", "metadata"} & set(first):
        return True
    return any(name.endswith(ENDING) for name in first) or any(map(_has_users, first.values()))


def _has_users(cell: Any) -> bool:
    return isinstance(cell, list) and any(
        isinstance(each, Mapping) and {"user_id", "value"} <= set(each) for each in cell
    )


def read_records(records: Iterable[Mapping[str, Any]]) -> Export:
    """The submitted responses to each question; drafts and discarded ones are counted as left out.

    A row is one user's response to one question. A file that does not say which responses are submitted, such
    as that of `to_json`, is read as if all were.

    >>> given = [{"user_id": "u", "value": 3, "status": "submitted"}, {"user_id": "v", "status": "draft"}]
    >>> export = read_records([{"id": 7, "responses": {"tone": given}}])
    >>> [(a.annotator, a.item, a.question, a.value) for a in export.answers], dict(export.rows_left_out)
    ([('u', '7', 'tone', '3')], {'draft responses': 1})

    Raises:
        BadInput: A record has more values than users.
    """
    export = Export(PROGRAM)
    unknown = 0
    read = []
    for number, record in enumerate(records, start=1):
        item = record.get("id", record.get("_server_id", record.get("external_id")))
        item = number if item is None else item
        read.append((item, record, [*_responses(record, item)]))
    rankings = _rankings(response for _, _, responses in read for response in responses)
    if rankings:
        export.notes.append(
            f"Lists that differ only in their order are rankings: {', '.join(rankings)}."
        )
    for item, record, responses in read:
        export.left_out[UNANSWERED] += not responses
        export.left_out["suggestions"] += _suggestions(record)
        for question, who, value, status in responses:
            in_order = " > ".join(map(str, value)) if question in rankings and value else ""
            answer = in_order or ranked(value) or plain_value(value)
            if status and status != SUBMITTED:
                export.rows_left_out[f"{status} responses"] += 1
            elif who is None:
                export.rows_left_out["anonymous responses"] += 1
            elif answer is None and value:
                export.rows_left_out[SPANS] += 1
            else:
                export.add_row(who, item, {question: answer}, empty="empty responses")
                unknown += not status
    if unknown:
        export.notes.append(
            f"{counted(unknown, 'responses')} without a status: drafts, if there are any, count as submitted."
        )
    return export.finished()


def _rankings(responses: Iterable[tuple[str, Any, Any, str]]) -> list[str]:
    """The questions to which all answers are lists of the same labels, not all in one order.

    Argilla 2 writes a ranking as such a list, which looks like one of labels that were chosen.
    """
    lists: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for question, _, value, _ in responses:
        if isinstance(value, list) and not any(isinstance(each, Mapping | list) for each in value):
            lists[question].add(tuple(map(str, value)))
    return [
        question for question, orders in lists.items()
        if len(orders) > 1 and len({frozenset(order) for order in orders}) == 1
    ]  # fmt: skip


def _responses(record: Mapping[str, Any], item: object) -> Iterator[tuple[str, Any, Any, str]]:
    """Question, user, value and status of each response."""
    responses = record.get("responses")
    if isinstance(responses, list):  # one entry a user, with all questions
        for response in responses:
            for question, given in (response.get("values") or {}).items():
                value = given.get("value") if isinstance(given, Mapping) else given
                yield question, response.get("user_id"), value, _status(response)
    elif isinstance(responses, Mapping):  # one entry a question, with all users
        for question, several in responses.items():
            yield from _of_users(question, several or ())
    else:
        for name, cell in record.items():
            if name.endswith(ENDING):
                yield from _of_columns(record, name, item)
            elif _has_users(cell):
                yield from _of_users(name, cell)


def _of_columns(record: Mapping[str, Any], name: str, item: object) -> Iterator[Any]:
    """The responses in a column of values beside those of users and of statuses."""
    values, users = record.get(name) or (), record.get(f"{name}.users") or ()
    states = record.get(f"{name}.status") or [""] * len(users)
    if not len(values) == len(users) == len(states):
        reason = (
            f"record {item}: {name} has {counted(len(values), 'values')} of "
            f"{counted(len(users), 'users')}"
        )
        raise BadInput(reason, "export it anew")
    for value, who, status in zip(values, users, states, strict=True):
        yield name.removesuffix(ENDING), who, value, str(status or "")


def _suggestions(record: Mapping[str, Any]) -> int:
    """The number of questions with a suggestion of a model."""
    suggestions = record.get("suggestions")
    if isinstance(suggestions, Mapping | list):
        return len(suggestions)
    return sum(value is not None for name, value in record.items() if name.endswith(SUGGESTED))


def _of_users(question: str, several: Iterable[Mapping[str, Any]]) -> Iterator[Any]:
    for response in several:
        yield question, response.get("user_id"), response.get("value"), _status(response)


def _status(response: Mapping[str, Any]) -> str:
    return str(response.get("status") or "")
