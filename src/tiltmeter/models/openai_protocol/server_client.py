"""Sends requests to a server over HTTP, checks answers strictly, and retries where trouble may pass."""

import re
import secrets
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from threading import Event
from typing import Any, TypeVar
from weakref import finalize

from tiltmeter.core.errors import CannotAnswer, Unavailable, reason_of
from tiltmeter.core.reading.json_text import parsed
from tiltmeter.core.text import visible
from tiltmeter.data.downloads import fetch
from tiltmeter.data.downloads.certificates import certificates
from tiltmeter.models.openai_protocol.request_threads import Stopped
from tiltmeter.models.openai_protocol.server_address import KEY, ServerAddress, without_key

T = TypeVar("T")
TRANSIENT = fetch.TRANSIENT | frozenset(range(520, 530))
"""HTTP statuses after which the same request may succeed; those from 520 on come from proxies."""
PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""How long to wait before the second attempt, and at most, in seconds. The time doubles with each attempt;
half of it is random, so that requests that failed together are not repeated together."""
LONGEST_WAIT = 600.0
"""The longest time, in seconds, for which a server's request to wait is followed; if it asks for more, the
user decides."""
CONNECT = 15.0
"""How long to wait for a connection, in seconds."""
LARGEST = 1 << 24
"""The largest answer that is read, in bytes (16 MiB)."""
SLOW = "; allow more time with --timeout, or ask less at a time with --at-once"
SHOWN = 300
"""How many characters of a server's message an error shows."""
DETAILS = 1 << 14
"""How many bytes of an error are kept, to see what the server refuses."""
_OF_TEMPLATE = re.compile(
    r"jinja|chat template|roles must alternate|system role not supported", re.IGNORECASE
)
HINTS: Mapping[int, str] = {
    HTTPStatus.UNAUTHORIZED: f"set {KEY} to a valid key for this server",
    HTTPStatus.FORBIDDEN: f"check what the key in {KEY} may do",
    HTTPStatus.NOT_FOUND: "check the address and the name of the model",
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: f"check that {KEY} holds a key and nothing else",
}


class TryAgain(Exception):
    """Raised for a failure after which the same request may succeed."""

    def __init__(
        self,
        reason: str,
        status: int | None = None,
        wait: float | None = None,
        *,
        way_out: str = "",
    ) -> None:
        super().__init__(reason)
        self.status = status
        self.way_out = way_out
        self.wait = wait
        """How long the server asks to wait, in seconds; None if it does not say."""


class RequestRefused(CannotAnswer):
    """Raised when the server refuses a request and would refuse it again."""

    def __init__(self, reason: str, status: int | None = None, details: str = "") -> None:
        super().__init__(reason)
        self.status = status
        self.details = details
        """All that the server said, without the key; "" where the answer itself is not what was requested."""


class NoAnswer(Unavailable):
    """Raised when none of the attempts got an answer."""

    def __init__(self, reason: str, status: int | None = None) -> None:
        super().__init__(reason)
        self.status = status
        """The HTTP status of the last attempt; None where there was no response."""


class ServerClient:
    """Sends requests to one server; may be used by several threads at once."""

    def __init__(self, address: ServerAddress, key: str, *, timeout: float, tries: int) -> None:
        import httpx2  # slow, and seldom needed

        self.base = address.base
        self._root = address.root
        self._key = key
        self._tries = tries
        self._timeout = timeout
        self._not_before = 0.0
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._http = httpx2.Client(
            headers=headers | {"Accept": "application/json"},
            timeout=httpx2.Timeout(timeout, connect=min(CONNECT, timeout)),
            limits=httpx2.Limits(max_connections=None),
            verify=certificates(from_environment=not address.is_local),
            trust_env=not address.is_local,  # no proxy between this machine and itself
        )
        finalize(self, self._http.close)

    def get(self, path: str, *, tries: int) -> Any:
        """The JSON at a path.

        Raises:
            RequestRefused: The server refuses the request.
            NoAnswer: The server did not answer.
        """
        return self._ask("GET", path, None, lambda answer: answer, Event(), min(tries, self._tries))

    def post(
        self, path: str, body: Mapping[str, Any], read: Callable[[Any], T], stop: Event,
        tries: int | None = None,
    ) -> T:  # fmt: skip
        """The answer to a request.

        Args:
            path: A path such as "chat/completions"; one such as "/generate" begins at the server's root.
            body: The body, which is sent as JSON.
            read: Converts the server's JSON to the answer, or raises `TryAgain` or `ValueError`.
            stop: Once it is set, there is no further attempt.
            tries: The most attempts; None for as many as the client makes.

        Raises:
            RequestRefused: The server refuses the request, or its answer is not what was requested.
            NoAnswer: No attempt was answered.
            Stopped: `stop` was set before there was an answer.
        """
        return self._ask("POST", path, body, read, stop, tries or self._tries)

    def _ask(
        self, method: str, path: str, body: Any, read: Callable[[Any], T], stop: Event, tries: int
    ) -> T:
        place = f"{self._root}{path}" if path.startswith("/") else f"{self.base}/{path}"
        attempt = 1
        while True:
            self._wait(self._not_before - time.monotonic(), stop)
            try:
                return read(self._once(method, place, body))
            except TryAgain as error:
                if attempt == tries:
                    attempts = f"{tries} attempts" if tries > 1 else "one attempt"
                    reason = f"{place}: {error} ({attempts}){error.way_out}"
                    raise NoAnswer(reason, error.status) from error
                pause = self._pause(error, attempt)
            except ValueError as error:
                raise RequestRefused(f"{place}: {error}") from error
            self._wait(pause, stop)
            attempt += 1

    def _once(self, method: str, place: str, body: Any) -> Any:
        """The JSON of the answer to a single attempt."""
        import httpx2

        begun = time.monotonic()
        try:
            with self._http.stream(method, place, json=body) as response:
                content = b""
                for block in response.iter_bytes():
                    content += block
                    if len(content) > LARGEST:
                        raise ValueError(
                            "the answer is longer than 16 MiB; check that this is the address of the API"
                        )
                    # The timeout of the HTTP client starts anew with every block that arrives.
                    if time.monotonic() - begun > self._timeout:
                        raise TryAgain(
                            f"the answer was not complete after {self._timeout:g} s", way_out=SLOW
                        )
        except httpx2.TimeoutException as error:
            raise TryAgain(f"no answer within {self._timeout:g} s", way_out=SLOW) from error
        except httpx2.ConnectError as error:
            raise TryAgain(
                f"cannot be reached ({self._safe(reason_of(error))}); is the server running?"
            ) from error
        except httpx2.RequestError as error:
            raise TryAgain(self._safe(reason_of(error))) from error
        if response.status_code == HTTPStatus.OK:
            return self._parsed(place, content, response.headers)
        raise self._failure(place, response.status_code, content, response.headers)

    def _parsed(self, place: str, content: bytes, headers: Mapping[str, str]) -> Any:
        kind = headers.get("Content-Type", "").partition(";")[0].strip().lower()
        if not content.strip():
            raise TryAgain("the answer is empty")
        if not kind.endswith("json"):
            raise TryAgain(
                f"the answer is not JSON but {self._safe(kind) or 'of no stated type'}",
                way_out="; check that this is the address of the API",
            )
        try:
            answer = parsed(content.decode("utf-8"), halves=True, twice=True)
        except ValueError as error:
            raise TryAgain("the answer is cut off or not valid JSON") from error
        if isinstance(answer, dict) and answer.get("error"):
            inner = answer["error"]
            code = inner.get("code") if isinstance(inner, dict) else None
            raise self._failure(place, code, content, headers)
        return answer

    def _failure(
        self, place: str, status: Any, content: bytes, headers: Mapping[str, str]
    ) -> Exception:
        """The error for an answer that reports one."""
        message = self._safe(message_of(content))
        details = without_key(content[:DETAILS].decode("utf-8", "replace"), self._key)
        reason = f"{_status_text(status)} ({message})" if message else _status_text(status)
        reason = f"the server answers {reason}"
        code = status if type(status) is int else None
        # A used-up quota has the status of too many requests, but waiting does not help, and neither does it
        # where a chat template refuses a conversation, which some servers call an error of their own.
        passes = b"insufficient_quota" not in content and not _OF_TEMPLATE.search(details)
        if passes and (code in {None, 200} or code in TRANSIENT):
            wait = seconds_to_wait(headers)
            if wait is None or wait <= LONGEST_WAIT:
                return TryAgain(reason, code, wait)
            reason += f" and asks to wait {wait / 60:,.0f} minutes"
        elif location := headers.get("Location"):
            reason += f"; give the address that it points to: {self._safe(location)}"
        way_out = f"; {HINTS[code]}" if code is not None and code in HINTS else ""
        return RequestRefused(f"{place}: {reason}{way_out}", code, details)

    def _pause(self, error: TryAgain, attempt: int) -> float:
        """How long to wait before the next attempt, in seconds.

        If the server asks to wait, that applies to the requests of all threads.
        """
        if error.wait is not None:
            self._not_before = max(self._not_before, time.monotonic() + error.wait)
        longest = min(PAUSE * 2.0 ** (attempt - 1), LONGEST_PAUSE)
        jittered = longest * secrets.SystemRandom().uniform(0.5, 1)
        return jittered if error.wait is None else error.wait + jittered / 10

    def _wait(self, seconds: float, stop: Event) -> None:
        if stop.is_set() or (seconds > 0 and stop.wait(seconds)):
            raise Stopped

    def _safe(self, text: str) -> str:
        """A server's text made safe for a message: short, printable, and without the key."""
        line = " ".join(without_key(text, self._key).split())
        return visible(line if len(line) <= SHOWN else f"{line[:SHOWN]} …")


def message_of(content: bytes) -> str:
    """The error message in a server's answer; "" if there is none that can be read.

    >>> message_of(b'{"error": {"message": "no such model"}}'), message_of(b"<html>Oops</html>")
    ('no such model', '')
    """
    text = content[: 1 << 16].decode("utf-8", "replace").strip()
    if text[:1] == "<":
        return ""
    try:
        message = parsed(text, twice=True)
    except ValueError:
        return text
    while isinstance(message, dict):
        message = next(
            (message[name] for name in ("error", "message", "detail") if name in message), text
        )
    return message if isinstance(message, str) else text


def seconds_to_wait(headers: Mapping[str, str]) -> float | None:
    """The seconds that the header `Retry-After` asks to wait, given as a number or a date; None without it.

    >>> seconds_to_wait({"Retry-After": "2.5"}), seconds_to_wait({"Retry-After": "soon"})
    (2.5, None)
    >>> seconds_to_wait({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"})
    0.0
    """
    value = headers.get("Retry-After", "").strip()
    if value.replace(".", "", 1).isdecimal():
        return float(value)
    try:
        until = parsedate_to_datetime(value)
    except ValueError:
        return None
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max((until - datetime.now(UTC)).total_seconds(), 0.0)


def _status_text(status: Any) -> str:
    """An HTTP status with its standard name; "an error" where the status is not a number.

    >>> _status_text(503), _status_text(None)
    ('503 Service Unavailable', 'an error')
    """
    if type(status) is not int:
        return "an error"
    name = next((known.phrase for known in HTTPStatus if known == status), "")
    return f"{status} {name}".strip()
