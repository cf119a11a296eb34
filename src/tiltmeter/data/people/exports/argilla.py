"""Exports of Argilla: records with responses by user, as JSON, JSON lines or a table of a hub data set."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tiltmeter.data.people.exports.exported import Export, plain_value, ranked

PROGRAM = "Argilla"
ENDING = ".responses"
SUBMITTED = "submitted"
SPANS = "marked spans"


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

    >>> given = [{"user_id": "u", "value": 3, "status": "submitted"}, {"user_id": "v", "status": "draft"}]
    >>> export = read_records([{"id": 7, "responses": {"tone": given}}])
    >>> [(a.annotator, a.item, a.question, a.value) for a in export.answers], dict(export.left_out)
    ([('u', '7', 'tone', '3')], {'draft responses': 1})
    """
    export = Export(PROGRAM)
    for number, record in enumerate(records, start=1):
        item = record.get("id", record.get("_server_id", record.get("external_id")))
        item = number if item is None else item
        for question, who, value, status in _responses(record):
            if status and status != SUBMITTED:
                export.left_out[f"{status} responses"] += 1
                continue
            answer = ranked(value) or plain_value(value)
            if answer is None and value:
                export.left_out[SPANS] += 1
            else:
                export.add(who, item, question, answer)
    return export.finished()


def _responses(record: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any, str]]:
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
                users = record.get(f"{name}.users") or ()
                states = record.get(f"{name}.status") or [""] * len(users)
                for value, who, status in zip(cell or (), users, states, strict=False):
                    yield name.removesuffix(ENDING), who, value, str(status or "")
            elif _has_users(cell):
                yield from _of_users(name, cell)


def _of_users(question: str, several: Iterable[Mapping[str, Any]]) -> Iterator[Any]:
    for response in several:
        yield question, response.get("user_id"), response.get("value"), _status(response)


def _status(response: Mapping[str, Any]) -> str:
    return str(response.get("status") or "")
