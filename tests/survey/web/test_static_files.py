import re
from base64 import b64encode
from hashlib import sha256

import pytest

from tiltmeter.survey.web.guard import HEADERS
from tiltmeter.survey.web.static_files import FOLDER, address, cache_control, style

FILES = sorted(file.name for file in FOLDER.iterdir())
YEAR = "public, max-age=31536000, immutable"


@pytest.mark.parametrize("name", FILES)
def test_an_address_names_what_the_file_holds_and_may_be_kept(visit, name):
    contents = (FOLDER / name).read_bytes()
    assert address(name) == f"/static/{name}?v={sha256(contents).hexdigest()[:16]}"
    reply = visit().browser().get(address(name))
    assert reply.content == contents and reply.headers["cache-control"] == YEAR


@pytest.mark.parametrize("query", ["", "v=", "v=0123456789abcdef"])
def test_another_version_is_asked_for_again(visit, query):
    reply = visit().browser().get(f"/static/survey.css?{query}")
    assert reply.status_code == 200 and reply.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("path", ["/static/", "/static/none.css", "/static/../web/app.py"])
def test_what_is_no_file_is_not_kept(path):
    assert cache_control(path, "v=0123456789abcdef") == "no-cache"


@pytest.mark.parametrize("path", ["/", "/page/rate.1", "/admin", "/api/answers"])
def test_pages_are_never_kept(path):
    assert cache_control(path, "") == "no-store"


def test_the_policy_allows_the_style_of_the_first_pages_alone(visit):
    browser = visit().browser()
    first = browser.get("/", follow_redirects=True)
    inside = re.findall("<style>(.*?)</style>", first.text, re.DOTALL)
    assert inside == [str(style())] == [(FOLDER / "survey.css").read_text("utf-8")]
    assert f"style-src 'self' {source(inside[0])};" in first.headers["content-security-policy"]


def source(text):
    """As https://www.w3.org/TR/CSP3/#grammardef-hash-source has it."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


ELSEWHERE = (
    "x" * 300, "x" * 5_000, "%00", "a%00b.css", "..%2fapp.py", "survey.css/x", "%ff", "",
)  # fmt: skip


@pytest.mark.parametrize("path", ELSEWHERE)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_what_is_no_file_of_ours_is_not_found_with_the_headers_of_every_page(visit, path, method):
    reply = visit().browser().request(method, f"/static/{path}")
    assert reply.status_code == 404
    assert {name: reply.headers[name] for name in HEADERS} == HEADERS
    assert reply.headers["cache-control"] == "no-cache"
