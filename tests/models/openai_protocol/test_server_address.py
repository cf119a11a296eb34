"""Addresses of servers: what is taken, and that nothing secret gets through or is repeated."""

import pytest

from tiltmeter.core.errors import BadInput
from tiltmeter.models.openai_protocol.server_address import api_key, server_address, without_key


@pytest.mark.parametrize(
    ("location", "base", "model"),
    [
        ("http://localhost:8000#m", "http://localhost:8000/v1", "m"),
        ("http://localhost:8000/#m", "http://localhost:8000/v1", "m"),
        ("http://localhost:8000/v1#m", "http://localhost:8000/v1", "m"),
        ("http://localhost:8000/v1/", "http://localhost:8000/v1", ""),
        ("HTTPS://API.Example/v1beta/openai#m", "https://api.example/v1beta/openai", "m"),
        ("https://a.example/llm#org/model:free", "https://a.example/llm/v1", "org/model:free"),
        ("http://[::1]:80#/home/me/m", "http://[::1]:80/v1", "/home/me/m"),
    ],
)
def test_addresses_with_and_without_version(location, base, model):
    found = server_address(location)
    assert (found.base, found.model) == (base, model)


@pytest.mark.parametrize(
    ("location", "message"),
    [
        ("", "http:// or https://"),
        ("localhost:8000#m", "http:// or https://"),
        ("ftp://host/x#m", "http:// or https://"),
        ("http://#m", "names a host"),
        ("http://host:port#m", "cannot be read"),
        ("http://[::1#m", "cannot be read"),
        ("https://me:secret@host/v1#m", "user name or password.*TILTMETER_API_KEY"),
        ("https://secret@host/v1#m", "user name or password"),
        ("https://host/v1?api_key=secret#m", "query.*TILTMETER_API_KEY"),
    ],
)
def test_what_is_no_address_or_holds_a_secret_is_refused(location, message):
    with pytest.raises(BadInput, match=message) as error:
        server_address(location)
    assert "secret" not in str(error.value)


@pytest.mark.parametrize(
    ("host", "is_local"),
    [
        ("localhost", True), ("127.0.0.1", True), ("127.8.8.8", True), ("[::1]", True),
        ("box.localhost", True), ("192.168.0.2", False), ("localhost.example", False),
        ("0.0.0.0", False),
    ],
)  # fmt: skip
def test_which_hosts_are_this_machine(host, is_local):
    assert server_address(f"http://{host}:8000#m").is_local == is_local


def keys(monkeypatch, **given):
    for name in ("TILTMETER_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)


def test_openais_key_goes_to_openai_only(monkeypatch):
    keys(monkeypatch, OPENAI_API_KEY="sk-1")
    assert api_key(server_address("https://api.openai.com#m")) == "sk-1"
    for other in ("https://api.openai.com.example#m", "http://localhost#m", "https://host#m"):
        assert api_key(server_address(other)) == ""
    keys(monkeypatch, OPENAI_API_KEY="sk-1", TILTMETER_API_KEY=" sk-2\n")
    assert api_key(server_address("https://api.openai.com#m")) == "sk-2"
    assert api_key(server_address("https://host#m")) == "sk-2"


def test_no_key_leaves_this_machine_unencrypted(monkeypatch):
    keys(monkeypatch, TILTMETER_API_KEY="sk-2")
    assert api_key(server_address("http://127.0.0.1:1#m")) == "sk-2"
    with pytest.raises(BadInput, match=r"would be sent to 10\.0\.0\.1 without encr") as error:
        api_key(server_address("http://10.0.0.1#m"))
    assert "sk-2" not in str(error.value)
    keys(monkeypatch, OPENAI_API_KEY="sk-1")
    with pytest.raises(BadInput, match="without encryption"):
        api_key(server_address("http://api.openai.com#m"))


@pytest.mark.parametrize("key", ["sk 2", "sk\n2", "sk-é"])
def test_a_key_that_cannot_be_sent_is_not_repeated(monkeypatch, key):
    keys(monkeypatch, TILTMETER_API_KEY=key)
    with pytest.raises(BadInput, match="characters that no key has") as error:
        api_key(server_address("https://host#m"))
    assert key not in str(error.value)


def test_no_long_run_of_a_key_is_shown():
    key = "sk-AbCdEfGh12"
    for text, shown in (
        ("key sk-abcdefgh…", "key [key]…"),
        ("K-ABCDEF is not SK-ABC", "[key] is not SK-ABC"),
        (f"{key}{key}", "[key]"),
        ("", ""),
    ):
        assert without_key(text, key) == shown
    assert without_key("no key", "") == "no key"
    assert without_key("a NONE b", "none") == "a [key] b"
