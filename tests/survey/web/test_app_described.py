"""Whatever is sent to any address, the answer is one that the description names."""

import pytest
from hypothesis import HealthCheck, given, seed, settings
from pydantic import TypeAdapter

from support.survey.browsing import agree
from support.survey.forms import a_form
from tiltmeter.survey.web.invitations import PLATFORMS
from tiltmeter.survey.web.sessions import COOKIE, csrf_token
from tiltmeter.survey.web.single_answers import SentBatch

pytestmark = pytest.mark.slow
EXAMPLES = 20
TEXT = {"type": "string"}
HTML = {"text/html": {"schema": TEXT}}
QUERY = ("lang", "passed", "invitation", *(name for names in PLATFORMS.values() for name in names))
FIELDS = {
    "/consent": ("csrf", "lang", "passed", "agree", "linked"),
    "/stop": ("csrf",),
    "/page/{key}": ("csrf", "submit_key", "shown_at", "submitted_at", "q0", "k0", "l0", "q1", "k1", "l1"),
}  # fmt: skip
PATHS = {*FIELDS, "/", "/instructions", "/work", "/feedback/{key}", "/api/answers", "/done"}
STATUSES = (200, 303, 400, 403, 404, 413, 422, 429, 503)


def describe(route):
    """What an address of the survey takes and answers, as OpenAPI."""
    api = route.path.startswith("/api/")
    content = {"application/json": {"schema": {"type": "object"}}} if api else HTML
    # The limit of a body's size answers in plain text.
    other = {303: {}, 413: {"text/plain": {"schema": TEXT}}}
    route.responses = {n: {"description": "", "content": other.get(n, content)} for n in STATUSES}
    if "GET" in route.methods:
        listed = QUERY if route.path in {"/", "/consent"} else ()
        parameters = [{"name": name, "in": "query", "schema": TEXT} for name in listed]
        route.openapi_extra = {"parameters": parameters}
    else:
        form = {"type": "object", "properties": dict.fromkeys(FIELDS.get(route.path, ()), TEXT)}
        schema = whole(TypeAdapter(SentBatch).json_schema()) if api else form
        kind = "application/json" if api else "application/x-www-form-urlencoded"
        route.openapi_extra = {
            "requestBody": {"required": True, "content": {kind: {"schema": schema}}}
        }


def whole(schema):
    """A schema with its definitions where they are used."""
    definitions = schema.pop("$defs")

    def put(value):
        if isinstance(value, dict) and "$ref" in value:
            return put(definitions[value["$ref"].rsplit("/", 1)[1]])
        if isinstance(value, dict):
            return {name: put(part) for name, part in value.items()}
        return [put(part) for part in value] if isinstance(value, list) else value

    return put(schema)


def test_every_address_keeps_to_its_description(visit):
    schemathesis = pytest.importorskip("schemathesis")
    survey = visit(a_form(sampling="each = 2"))
    for route in survey.app.routes:
        if getattr(route, "path", "") in PATHS:
            describe(route)
    schema = schemathesis.openapi.from_dict(survey.app.openapi())
    operations = [one.ok() for one in schema.get_all_operations()]
    described = [one for one in operations if "303" in one.definition.raw["responses"]]
    assert len(described) == 12
    for operation in operations:
        browser = survey.browser()
        send(operation, browser, agree(browser).url.path, wholly=operation in described)


def send(operation, browser, screen, *, wholly):
    """Try an address as a stranger would, and as our own pages do; `wholly` described or for accounts."""

    @seed(1)
    @settings(
        max_examples=EXAMPLES if wholly else 3,
        deadline=None,
        database=None,
        suppress_health_check=[*HealthCheck],
    )
    @given(operation.as_strategy())
    def one(case):
        token = csrf_token(browser.cookies.get(COOKIE, ""))
        own = screen if operation.path == "/page/{key}" else case.formatted_path
        for path, trusted in ((case.formatted_path, False), (own, True)):
            fields = case.body if isinstance(case.body, dict) else {}
            form = {"data": {**fields, "csrf": token} if trusted else fields}
            body = {"json": case.body} if path.startswith("/api/") else form
            reply = browser.request(
                operation.method.upper(), path, params=case.query, follow_redirects=False,
                headers={"x-csrf-token": token} if trusted else {},
                **(body if operation.method == "post" else {}),
            )  # fmt: skip
            assert reply.status_code < 500, (path, body, reply.text)
            assert "Traceback" not in reply.text
            if wholly:
                operation.validate_response(reply)

    one()


def test_the_description_is_not_public(visit):
    browser = visit().browser()
    for path in ("/openapi.json", "/docs", "/redoc"):
        assert browser.get(path).status_code == 404
