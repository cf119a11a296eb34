"""Claims of a paper."""

from tiltmeter.active.paper_claims import claims_of

CLAIMS = claims_of("baumler2023")
