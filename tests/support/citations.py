"""What sources cite, found without the bibliography."""

import re

_IDENTIFIER = re.compile(
    r"doi:\s?10\.\S+|arxiv:\s?\d{4}\.\d+|github\.com/[\w.-]+/[\w.-]+|aclanthology\.org/[\w.-]+",
    re.IGNORECASE,
)


def identifiers_of(source: str) -> list[str]:
    """All identifiers in a source, whether the bibliography has them or not.

    >>> identifiers_of("Gao et al. 2024, github.com/EleutherAI/lm-evaluation-harness; doi:10.1/x.")
    ['github.com/EleutherAI/lm-evaluation-harness', 'doi:10.1/x']
    """
    return [name.rstrip(".,;)") for name in _IDENTIFIER.findall(source)]
