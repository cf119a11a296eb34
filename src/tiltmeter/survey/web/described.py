"""What each address takes and answers, as OpenAPI: tests read it; it is not served."""

from collections.abc import Mapping
from typing import Any

from tiltmeter.survey.web.invitations import PLATFORMS
from tiltmeter.survey.web.single_answers import SentBatch

TEXT: Mapping[str, Any] = {"type": "string"}
HTML: Mapping[str, Any] = {"text/html": {"schema": TEXT}}
QUERY = ("lang", "passed", "invitation", *(name for names in PLATFORMS.values() for name in names))
FIELDS: Mapping[str, tuple[str, ...]] = {
    "/consent": ("csrf", "lang", "passed", "agree", "linked"),
    "/stop": ("csrf",),
    "/page/{key}": ("csrf", "submit_key", "shown_at", "submitted_at", "q0", "k0", "l0", "q1", "k1", "l1"),
}  # fmt: skip
REASONS: Mapping[int, str] = {
    303: "See another page", 400: "Not usable", 403: "No session, or not from our pages",
    404: "No such page", 413: "Too large", 422: "An answer is missing", 429: "Too many requests",
    503: "The database cannot be reached",
}  # fmt: skip


def described(path: str, method: str) -> dict[str, Any]:
    """The responses and body of a route, as further arguments of `add_api_route`."""
    api = path.startswith("/api/")
    content = {"application/json": {"schema": {"type": "object"}}} if api else HTML
    # The limit of a body's size answers in plain text.
    other: Mapping[int, Any] = {303: {}, 413: {"text/plain": {"schema": TEXT}}}
    responses = {
        status: {"description": why, "content": other.get(status, content)}
        for status, why in REASONS.items()
    }
    responses[200] = {"description": "Done", "content": content}
    return {"responses": responses, "openapi_extra": _taken(path, method)}


def _taken(path: str, method: str) -> dict[str, Any]:
    """Query parameters, or the body."""
    if method == "GET":
        listed = QUERY if path in {"/", "/consent"} else ()
        return {"parameters": [{"name": n, "in": "query", "schema": TEXT} for n in listed]}
    if path.startswith("/api/"):
        schema = SentBatch.model_json_schema()
        return {
            "requestBody": {
                "required": True,
                "content": {"application/json": {"schema": _whole(schema)}},
            }
        }
    fields = {"type": "object", "properties": dict.fromkeys(FIELDS[path], TEXT)}
    kind = "application/x-www-form-urlencoded"
    return {"requestBody": {"required": True, "content": {kind: {"schema": fields}}}}


def _whole(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema with its definitions where they are used."""
    definitions = schema.pop("$defs")

    def put(value: Any) -> Any:
        if isinstance(value, dict) and "$ref" in value:
            return put(definitions[value["$ref"].rsplit("/", 1)[1]])
        if isinstance(value, dict):
            return {name: put(part) for name, part in value.items()}
        return [put(part) for part in value] if isinstance(value, list) else value

    whole: dict[str, Any] = put(schema)
    return whole
