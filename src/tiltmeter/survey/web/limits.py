"""How often one address or account may try something; counted in memory, so a restart forgets it."""

import ipaddress
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field, fields

from fastapi import Request

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.text import counted

MINUTE, HOUR = 60.0, 3600.0
MOST_KEYS = 100_000
"""Addresses and accounts that are remembered; beyond that the oldest are forgotten."""
IPV6_NETWORK = 64
"""Bits of an IPv6 address that one customer of a provider has in common."""


class TooMany(Exception):
    """A limit is reached; `seconds` says how long to wait."""

    def __init__(self, seconds: int) -> None:
        super().__init__()
        self.seconds = seconds

    @property
    def minutes(self) -> int:
        """Whole minutes to wait.

        >>> TooMany(61).minutes
        2
        """
        return math.ceil(self.seconds / MINUTE)

    @property
    def way_out(self) -> str:
        """How to go on, in a sentence.

        >>> TooMany(60).way_out
        'Try again in 1 minute.'
        """
        return f"Try again in {counted(self.minutes, 'minutes')}."

    @property
    def headers(self) -> dict[str, str]:
        """HTTP headers of the reply."""
        return {"retry-after": str(self.seconds)}


@dataclass(slots=True)
class RateLimit:
    """So many tries in so many seconds, counted from the first.

    >>> limit = RateLimit(1, 60, clock=lambda: 0.0)
    >>> limit.take("a"); limit.take("b")
    >>> limit.take("a")
    Traceback (most recent call last):
    ...
    tiltmeter.survey.web.limits.TooMany
    """

    count: int
    """Tries in each window of `seconds`; 0 for no limit."""
    seconds: float
    clock: Callable[[], float] = time.monotonic
    _used: dict[str, tuple[float, int]] = field(default_factory=dict)
    """By key: when its window began, and the tries since then."""

    def check(self, key: str) -> None:
        """Refuse if the limit is reached; nothing is counted.

        Raises:
            TooMany: It is.
        """
        begun, used = self._window(key)
        if self.count and key and used >= self.count:
            raise TooMany(max(math.ceil(begun + self.seconds - self.clock()), 1))

    def take(self, key: str) -> None:
        """Count a try; the key "" is never limited.

        Raises:
            TooMany: The limit was reached before.
        """
        self.check(key)
        if self.count and key:
            begun, used = self._window(key)
            self._used.pop(key, None)
            self._used[key] = begun, used + 1  # last in order
            self._forget()

    def give_back(self, key: str) -> None:
        """Do not count the last try after all."""
        begun, used = self._window(key)
        if used:
            self._used[key] = begun, used - 1

    def _window(self, key: str) -> tuple[float, int]:
        begun, used = self._used.get(key, (0.0, 0))
        fresh = not used or self.clock() - begun >= self.seconds
        return (self.clock(), 0) if fresh else (begun, used)

    def _forget(self) -> None:
        while len(self._used) > MOST_KEYS:
            del self._used[next(iter(self._used))]


@dataclass(frozen=True, slots=True)
class AccountLimit:
    """Limits on what is tried with an account, and on what is tried from an address.

    A try is counted before it is known how it ends, so that many at once are not let through.
    """

    per_account: RateLimit
    per_address: RateLimit

    def take(self, account: str, address: str) -> None:
        """Count one more try.

        Raises:
            TooMany: A limit was reached before.
        """
        # Both are checked before either counts: what is refused counts for neither.
        self.per_account.check(account)
        self.per_address.take(address)
        self.per_account.take(account)

    def give_back(self, account: str, address: str) -> None:
        """Do not count the last try after all."""
        self.per_address.give_back(address)
        self.per_account.give_back(account)


ADDRESSES = 10
"""How many addresses must use up their tries before an account takes no more from new ones."""


class LoginLimit:
    """Limits on wrong passwords, by which no stranger can lock an account's owner out.

    They are counted for an account together with the address that they come from, and for the address. Many
    addresses that guess at one account are stopped together, but not one from which somebody has signed in to
    it before. As above, a try counts before it is known how it ends.
    """

    def __init__(self, of_account: int, of_address: int, seconds: float) -> None:
        """`of_account` are the tries for one account from one address, `of_address` for all from one."""
        self._together = RateLimit(of_account, seconds)
        self._address = RateLimit(of_address, seconds)
        self._account = RateLimit(of_account * ADDRESSES, seconds)
        self._trusted: dict[str, None] = {}
        """Accounts with addresses from which they were signed in to, the latest last."""

    def take(self, account: str, address: str) -> None:
        """Count a try; the account "" is nobody's.

        Raises:
            TooMany: A limit was reached before.
        """
        together = _pair(account, address)
        if together not in self._trusted:
            self._account.check(account)
        self._together.check(together)
        self._address.take(address)
        self._together.take(together)
        if together not in self._trusted:
            self._account.take(account)

    def succeed(self, account: str, address: str) -> None:
        """The last try was right: it does not count, and the address is trusted with the account."""
        together = _pair(account, address)
        self._address.give_back(address)
        self._together.give_back(together)
        if together not in self._trusted:
            self._account.give_back(account)
        self._trusted.pop(together, None)
        self._trusted[together] = None
        while len(self._trusted) > MOST_KEYS:
            del self._trusted[next(iter(self._trusted))]


def _pair(account: str, address: str) -> str:
    return f"{account}\n{address}" if account else ""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a server, in tries; 0 for no limit."""

    account_logins: int = 10
    """Wrong passwords for one account from one address in 15 minutes; ten times as many from all new ones."""
    address_logins: int = 30
    """Wrong passwords from one address in 15 minutes."""
    new_people: int = 100
    """People who begin from one address in an hour."""
    wrong_links: int = 30
    """Links that are not valid from one address in an hour."""
    account_refusals: int = 20
    """Submissions of one account to leaderboards in an hour that are refused."""
    address_refusals: int = 60
    """Submissions from one address to leaderboards in an hour that are refused."""


def limits_given(given: dict[str, str]) -> Limits:
    """The limits with those that a user has set, such as {"new-people": "500"}.

    Raises:
        UnknownName: There is no limit of this name.
        BadInput: One is no whole number of at least 0.
    """
    names = {limit.name.replace("_", "-"): limit.name for limit in fields(Limits)}
    values: dict[str, int] = {}
    for name, text in given.items():
        if name not in names:
            raise UnknownName("limit", name, names)
        if not (text.isascii() and text.isdigit()):
            raise BadInput(f"{name}={text} is no number of tries", "write 0 for no limit")
        values[names[name]] = int(text)
    return Limits(**values)


def address_of(request: Request) -> str:
    """The address that a request is counted under; "" for this machine, which is not limited.

    Behind a trusted proxy it is the one that the proxy passes on (`serving`). A proxy on this machine that
    passes on none would otherwise have everybody share one limit.
    """
    host = request.client.host if request.client else ""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    if address.is_loopback:
        return ""
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    return str(ipaddress.ip_network((address, IPV6_NETWORK), strict=False))
