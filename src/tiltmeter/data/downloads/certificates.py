"""The certificates by which servers are trusted, loaded once in a process."""

import ssl
from functools import cache


@cache
def certificates(*, from_environment: bool = True) -> ssl.SSLContext:
    """The settings for connections that `httpx2` makes by default for each client, in 20 ms.

    Args:
        from_environment: Whether SSL_CERT_FILE and SSL_CERT_DIR, where set, name the certificates.
    """
    import httpx2  # noqa: PLC0415  (slow, and seldom needed)

    return httpx2.create_ssl_context(trust_env=from_environment)
