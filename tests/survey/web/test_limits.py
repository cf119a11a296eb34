"""Limits on logins, on new people and on links: 429, when to come back, and who is counted with whom."""

from functools import partial

import httpx2
import pytest
from fastapi.testclient import TestClient
from starlette.requests import Request

from support.survey.accounts import PASSWORD, a_browser, an_account, sign_in, with_session
from support.survey.browsing import agree
from support.survey.forms import a_form
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.survey.studies import open_study
from tiltmeter.survey.web.app import survey_app
from tiltmeter.survey.web.limits import (
    ADDRESSES,
    Limits,
    LoginLimit,
    RateLimit,
    TooMany,
    address_of,
    limits_given,
)
from tiltmeter.survey.web.serving import served

FEW = Limits(account_logins=2, address_logins=4, new_people=2, wrong_links=2)


def from_address(app, host):
    return TestClient(app, base_url="http://survey.test", client=(host, 1))


def test_a_limit_counts_from_the_first_try_and_ends():
    time = [0.0]
    limit = RateLimit(2, 60, clock=lambda: time[0])
    limit.take("a")
    time[0] = 40
    limit.take("a")
    limit.give_back("a")
    limit.take("a")
    with pytest.raises(TooMany) as refused:
        limit.take("a")
    assert (refused.value.seconds, refused.value.headers) == (20, {"retry-after": "20"})
    time[0] = 60
    limit.take("a")
    for _ in range(3):
        RateLimit(0, 60).take("a")
        limit.take("")


def test_wrong_passwords_are_limited_per_account_however_the_name_is_written(visit, store):
    an_account(store, "ann", "researcher")
    app = visit(limits=FEW).app
    for name in ("ann", "ＡNN"):
        assert sign_in(a_browser(app), name, "wrong password!").status_code == 422
    reply = sign_in(a_browser(app), "Ann")
    assert reply.status_code == 429 and 800 < int(reply.headers["retry-after"]) <= 900
    assert "Too many wrong passwords. Try again in 15 minutes." in reply.text
    assert PASSWORD not in reply.text


def test_who_is_signed_in_has_no_more_tries_to_change_the_password(visit, store):
    app = visit(limits=FEW).app
    browser, csrf = with_session(app, store, an_account(store, "ann", "researcher"))
    replies = [browser.post("/account", data={"csrf": csrf, "password": "x"}) for _ in range(3)]
    assert [reply.status_code for reply in replies] == [422, 422, 429]
    assert "retry-after" in replies[2].headers and "in 15 minutes" in replies[2].text


def test_wrong_passwords_are_limited_per_address_and_right_ones_are_not(visit, store):
    for name in ("ann", "ben", "cem"):
        an_account(store, name, "researcher")
    app = visit(limits=FEW).app
    for _ in range(5):
        assert sign_in(from_address(app, "203.0.113.9"), "ann").status_code == 303
    for name in ("ben", "ben", "cem", "cem"):
        guess = sign_in(from_address(app, "203.0.113.9"), name, "wrong password!")
        assert guess.status_code == 422
    assert sign_in(from_address(app, "203.0.113.9"), "ann").status_code == 429
    assert sign_in(from_address(app, "203.0.113.10"), "ann").status_code == 303


def test_new_people_are_limited_per_address_and_known_ones_are_not(visit):
    app = visit(limits=FEW).app
    for number in range(2):
        assert agree(a_browser(app), f"/?PROLIFIC_PID=p{number}").status_code == 200
    refused = agree(a_browser(app), "/?PROLIFIC_PID=p2")
    assert refused.status_code == 429 and 3500 < int(refused.headers["retry-after"]) <= 3600
    assert "Please try again in 60 min." in refused.text
    assert agree(a_browser(app), "/?PROLIFIC_PID=p1").status_code == 200
    assert agree(from_address(app, "203.0.113.9"), "/?PROLIFIC_PID=p2").status_code == 200


def test_links_that_are_not_valid_are_limited(visit):
    browser = visit(limits=FEW).browser()
    replies = [browser.get("/?invitation=x").status_code for _ in range(4)]
    assert replies == [400, 400, 429, 429]


@pytest.mark.parametrize(
    ("host", "counted"),
    [
        ("127.0.0.1", ""), ("::1", ""), ("::ffff:127.0.0.1", ""), ("203.0.113.9", "203.0.113.9"),
        ("::ffff:203.0.113.9", "203.0.113.9"), ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
    ],
)  # fmt: skip
def test_the_networks_of_ipv6_are_counted_together_and_this_machine_is_not(host, counted):
    assert address_of(Request({"type": "http", "client": (host, 1)})) == counted


def test_an_address_is_believed_only_from_a_trusted_proxy(store):
    study = store.save(partial(open_study, form=a_form(sampling="each = 2")))

    def replies(proxies, *addresses):
        with served(survey_app(store, study, limits=FEW), proxies=proxies) as at:
            for address in addresses:
                headers = {"x-forwarded-for": address}
                yield httpx2.get(f"{at}/?invitation=x", headers=headers).status_code

    spoofed = "192.0.2.1, 203.0.113.9"  # the proxy adds the last one
    assert [*replies(("127.0.0.1",), *[spoofed] * 3)] == [400, 400, 429]
    assert [*replies(("127.0.0.1",), "203.0.113.1", "203.0.113.2", "203.0.113.3")] == [400] * 3
    assert [*replies(("198.51.100.1",), *[spoofed] * 3)] == [400] * 3  # seen as this machine


def test_limits_are_set_by_name():
    assert limits_given({"new-people": "500", "wrong-links": "0"}) == Limits(
        new_people=500, wrong_links=0
    )
    with pytest.raises(UnknownName, match="new-people"):
        limits_given({"new-poeple": "500"})
    with pytest.raises(BadInput, match="0 for no limit"):
        limits_given({"new-people": "-1"})


def test_a_stranger_cannot_lock_an_account_by_its_name(visit, store):
    """Wrong passwords from elsewhere, and from many addresses, do not keep its owner out."""
    an_account(store, "ann", "researcher")
    app = visit(limits=Limits(account_logins=2, address_logins=0)).app
    home = from_address(app, "198.51.100.7")
    assert sign_in(home, "ann").status_code == 303
    for last in range(ADDRESSES):
        stranger = from_address(app, f"203.0.113.{last}")
        for _ in range(2):
            assert sign_in(stranger, "ann", "wrong password!").status_code == 422
        assert sign_in(stranger, "ann", "wrong password!").status_code == 429
    assert (
        sign_in(from_address(app, "203.0.113.99"), "ann").status_code == 429
    )  # all together are stopped
    assert sign_in(from_address(app, "198.51.100.7"), "ann").status_code == 303


def test_the_right_password_counts_for_nothing():
    limit = LoginLimit(2, 3, 60)
    for _ in range(100):
        limit.take("ann", "a")
        limit.succeed("ann", "a")
    for address in "ab":
        limit.take("ann", address)
        limit.take("ann", address)
        with pytest.raises(TooMany):
            limit.take("ann", address)
    limit.take("", "a")  # no account
    with pytest.raises(TooMany):
        limit.take("", "a")
