"""Whatever is sent to any address, the answer is one that the description names."""

import pytest
from hypothesis import HealthCheck, given, seed, settings

from survey_browsing import agree
from survey_forms import a_form
from tiltmeter.survey.web.sessions import COOKIE, csrf_token

pytestmark = pytest.mark.slow
EXAMPLES = 20


def test_every_address_keeps_to_its_description(visit):
    schemathesis = pytest.importorskip("schemathesis")
    survey = visit(a_form(sampling="each = 2"))
    schema = schemathesis.openapi.from_dict(survey.app.openapi())
    operations = [one.ok() for one in schema.get_all_operations()]
    described = [one for one in operations if "303" in one.definition.raw["responses"]]
    assert len(described) == 12
    for operation in operations:
        browser = survey.browser()
        send(operation, browser, agree(browser).url.path, whole=operation in described)


def send(operation, browser, screen, *, whole):
    """Try an address as a stranger would, and as our own pages do; `whole`ly described or for accounts."""

    @seed(1)
    @settings(
        max_examples=EXAMPLES if whole else 3,
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
            if whole:
                operation.validate_response(reply)

    one()


def test_the_description_is_not_public(visit):
    browser = visit().browser()
    for path in ("/openapi.json", "/docs", "/redoc"):
        assert browser.get(path).status_code == 404
