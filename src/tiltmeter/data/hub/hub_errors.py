"""Errors of the hub as one line with the reason and advice, and without any token."""

import re
import textwrap
from collections.abc import Sequence
from http import HTTPStatus
from json import JSONDecodeError
from typing import Any
from urllib.parse import urlsplit

from tiltmeter.core.errors import BadInput, StorageError, TiltmeterError, Unavailable, reason_of
from tiltmeter.data.downloads.fetch import TRANSIENT
from tiltmeter.data.hub.hub_cache import Repository

NOT_A_HUB = (JSONDecodeError, LookupError, TypeError, AttributeError, AssertionError)
"""The exceptions that the client raises if an answer is not that of a hub."""
LONGEST = 20.0
"""The maximum number of seconds to wait if the hub asks for it; if it asks for more, the user decides."""
INSTEAD = "give the path of a folder, or a name of `tiltmeter models list`"
LOG_IN = "set HF_TOKEN or run `hf auth login`"


def check_token() -> None:
    """Refuse a token that cannot be sent, since the libraries underneath would quote it in their errors.

    Raises:
        BadInput: The token contains characters that tokens never have.
    """
    from huggingface_hub import get_token  # noqa: PLC0415

    token = get_token()
    if token and not (token.isascii() and token.isprintable() and " " not in token):
        reason = "the token for the hub holds characters that no token has"
        raise BadInput(reason, "copy it again, into HF_TOKEN or after `hf auth login`")


def seconds_to_wait(error: Exception, usual: float) -> float | None:
    """The seconds to wait before another attempt; None if another attempt would not help.

    >>> seconds_to_wait(ValueError("no such thing"), 1.0) is None
    True
    """
    import httpx2  # noqa: PLC0415

    cause = _cause(error)
    if isinstance(cause, httpx2.ReadError | httpx2.WriteError | httpx2.RemoteProtocolError):
        return usual
    response = getattr(cause, "response", None)
    if response is None or response.status_code not in TRANSIENT:
        return None
    asked = _asked_to_wait(response)
    return max(asked, usual) if asked <= LONGEST else None


def explained(of: Repository, error: Exception, absent: Sequence[str]) -> TiltmeterError:
    """The error to raise instead of the client's.

    Args:
        of: The repository that could not be fetched.
        error: The client's error.
        absent: The wanted files that are not in the cache, as far as is known.
    """
    import httpx2  # noqa: PLC0415
    from huggingface_hub.errors import HFValidationError  # noqa: PLC0415

    cause = _cause(error)
    if isinstance(cause, HFValidationError):
        where = "neither a folder nor a hub id" if of.kind == "model" else "not a hub id"
        return BadInput(f"{of.id!r} is {where}", INSTEAD if of.kind == "model" else "OWNER/NAME is")
    if isinstance(cause, httpx2.UnsupportedProtocol | httpx2.InvalidURL):
        reason = f"HF_ENDPOINT is {endpoint()!r}, which is not the address of a hub"
        return BadInput(reason, "give one such as https://huggingface.co, or unset it")
    if (response := getattr(cause, "response", None)) is not None:
        return Unavailable(_no_access(of, cause) or _refused(of, response))
    is_network = isinstance(cause, ConnectionError | TimeoutError)
    if isinstance(cause, OSError) and cause.errno is not None and not is_network:
        return StorageError(
            f"{of} cannot be kept in the hub's cache: {cause.strerror}; "
            "make room, or set HF_HOME to a folder with room"
        )
    return Unavailable(_unreached(of, cause, absent))


def _unreached(of: Repository, cause: Exception, absent: Sequence[str]) -> str:
    """The message if the hub did not answer as a hub, or was not asked."""
    import httpx2  # noqa: PLC0415
    from huggingface_hub.constants import is_offline_mode  # noqa: PLC0415

    missing = f"{of} is not in the hub's cache on this machine"
    if absent:
        more = f" and {len(absent) - 3} more" if len(absent) > 3 else ""  # noqa: PLR2004
        files = f"{', '.join(absent[:3])}{more}"
        missing = f"{of} is not complete in the hub's cache on this machine (missing: {files})"
    or_else = f", or {INSTEAD}" if of.kind == "model" else ""
    if is_offline_mode():
        return f"{missing}, and HF_HUB_OFFLINE is set; unset it and connect{or_else}"
    if isinstance(cause, httpx2.TimeoutException):
        more = "allow more seconds than 10 with HF_HUB_ETAG_TIMEOUT and HF_HUB_DOWNLOAD_TIMEOUT"
        return f"{missing}, and {endpoint()} did not answer in time; try again, or {more}"
    if isinstance(cause, httpx2.TransportError):
        return (
            f"{missing}, and {endpoint()} cannot be reached ({_plain(cause)}); "
            f"connect, or check HF_ENDPOINT and the proxy{or_else}"
        )
    if isinstance(cause, NOT_A_HUB):
        return f"{missing}, and {endpoint()} does not answer as a hub does; check HF_ENDPOINT and the proxy"
    sizes = re.search(r"should be of size (\d+) but has size (\d+)", str(cause))
    why = f"a file came with {sizes[2]} bytes in place of {sizes[1]}" if sizes else _plain(cause)
    return f"{of} cannot be downloaded ({why}); try again{or_else}"


def _no_access(of: Repository, error: Any) -> str:
    """The message if the repository is gated or does not exist, or has no such revision; "" otherwise."""
    from huggingface_hub import get_token  # noqa: PLC0415
    from huggingface_hub.errors import (  # noqa: PLC0415
        GatedRepoError,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    known = bool(get_token())
    page = f"{endpoint()}/{'' if of.kind == 'model' else 'datasets/'}{of.id}"
    if isinstance(error, GatedRepoError):
        if not known:
            return f"{of} is gated; accept its terms at {page}, then {LOG_IN}"
        return (
            f"{of} is gated, and your account has no access; accept its terms at {page}, or wait for "
            "the owners' approval, and check that your token may read gated repositories"
        )
    if isinstance(error, RevisionNotFoundError):
        return f"{of}: there is no such revision; give a branch, tag or commit of it"
    stranger = error.response.status_code == HTTPStatus.UNAUTHORIZED and not known
    if isinstance(error, RepositoryNotFoundError) or stranger:
        folder = ", and there is no folder of that name" if of.kind == "model" else ""
        if known:
            way_out = "check the name, and whether your token may read it"
            return f"{of} does not exist, or is private{folder}; {way_out}"
        return f"{of} does not exist, or is private{folder}; check the name, or {LOG_IN}"
    return ""


def _refused(of: Repository, response: Any) -> str:
    """The message for the HTTP status with which the hub refused."""
    from huggingface_hub import get_token  # noqa: PLC0415

    status = int(response.status_code)
    if status == HTTPStatus.UNAUTHORIZED:
        way_out = "set HF_TOKEN to a valid one or run `hf auth login`; public files need none"
        return f"the hub refuses your token: it is wrong or has expired; {way_out}"
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        seconds = _asked_to_wait(response)
        when = f"in {seconds:,.0f} seconds" if seconds else "later"
        more = "" if get_token() else f"; {LOG_IN} for a higher limit"
        return f"{of}: the hub accepts no more requests for now (429); try again {when}{more}"
    if status in TRANSIENT:
        return f"{of}: the hub has a problem of its own ({status}); try again later"
    return f"{of}: the hub refuses it ({status}); check the name and your token"


def _cause(error: Exception) -> Exception:
    """The underlying error if the client only says that the cache lacks something; else the error itself."""
    from huggingface_hub.errors import LocalEntryNotFoundError  # noqa: PLC0415

    below = error.__cause__
    if isinstance(error, LocalEntryNotFoundError) and isinstance(below, Exception):
        return below
    return error


def _asked_to_wait(response: Any) -> float:
    """The seconds that the headers of a refusal ask to wait; 0 if they say nothing."""
    after = response.headers.get("Retry-After", "")
    limit = re.search(r"\bt=(\d+)", response.headers.get("RateLimit", ""))
    return float(after if after.isdecimal() else limit[1] if limit else 0)


def endpoint() -> str:
    """The hub's address, without a user name and password in it."""
    from huggingface_hub import constants  # noqa: PLC0415

    _, at, rest = constants.ENDPOINT.rpartition("@")
    return f"{urlsplit(constants.ENDPOINT).scheme}://{rest}" if at else rest


def _plain(error: Exception) -> str:
    """The first line of an error's message, without tokens, passwords and signed parts of URLs."""
    line = (reason_of(error).strip().splitlines() or [type(error).__name__])[0]
    line = re.sub(r"hf_\w+|Bearer \S+|(?<=\?)\S+|(?<=//)[^/@\s]+@", "…", line)
    return textwrap.shorten(line, 160, placeholder=" …")
