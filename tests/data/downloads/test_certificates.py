"""Certificates are loaded once, and checked."""

import ssl

from tiltmeter.data.downloads.certificates import certificates


def test_they_are_loaded_once_and_checked_with_the_name_of_the_server():
    for given in ({}, {"from_environment": False}):
        context = certificates(**given)
        assert certificates(**given) is context
        assert context.verify_mode == ssl.CERT_REQUIRED and context.check_hostname
        assert context.cert_store_stats()["x509_ca"] > 0
