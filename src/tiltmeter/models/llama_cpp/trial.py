"""Tries a GGUF file in a process of its own, since llama.cpp may end the process that loads a damaged one.

Run as `python -m tiltmeter.models.llama_cpp.trial FILE`. The last line of its output is a JSON object:
`error` if the file cannot be used; otherwise `apart`, how far log-probabilities of texts beside others are
from those of the same texts read alone.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tiltmeter.core.errors import CannotAnswer, TiltmeterError, Unavailable
from tiltmeter.core.reading.json_text import parsed
from tiltmeter.models.llama_cpp.library import LlamaWeights
from tiltmeter.models.llama_cpp.streams import Scored, Streams

NEAR = 1e-6
"""How far a log-probability beside other texts may be from that of the text alone to be called equal."""
SECONDS = 1_800
"""How long the trial may take: a file may have to be read from a slow disk first."""
LENGTHS = (3, 5, 9, 9, 17, 23, 40, 6)
"""Tokens of the texts that are tried; the first half begin alike."""
ALIKE = 5
"""With so many tokens."""


def tried(file: Path, name: str) -> Mapping[str, Any]:
    """What a trial of a file found, `apart` above.

    Raises:
        Unavailable: llama.cpp cannot use the file, or ended the process.
    """
    command = [sys.executable, "-m", "tiltmeter.models.llama_cpp.trial", str(file)]
    try:
        done = subprocess.run(  # noqa: S603
            command, capture_output=True, check=False, timeout=SECONDS, env=_environment()
        )
    except subprocess.TimeoutExpired as error:
        raise Unavailable(
            f"{name}: llama.cpp did not read a few words within {SECONDS // 60} minutes; use a smaller model"
        ) from error
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    found = parsed(lines[-1]) if lines and not done.returncode else {}
    if "error" in found:
        raise Unavailable(str(found["error"]).replace(str(file), file.name))
    if "apart" not in found:
        how = f"signal {-done.returncode}" if done.returncode < 0 else f"code {done.returncode}"
        raise Unavailable(
            f"{name}: llama.cpp ended its process ({how}) when it tried {file.name}: the file is damaged, or "
            "does not fit into memory; download it again, or use a smaller model"
        )
    return found


def _environment() -> dict[str, str]:
    """Ours, where the package is found as this process found it."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def apart(weights: LlamaWeights, name: str) -> float:
    """The largest difference of a log-probability between texts read alone and the same beside others.

    Raises:
        CannotAnswer: A log-probability is not a finite number.
    """
    texts = [_text(at, length, weights.vocabulary) for at, length in enumerate(LENGTHS)]
    alone = Streams(weights, name, alone=True)
    single = [alone.logprobs([text])[0] for text in texts]
    if not all(np.isfinite(answer).all() for answer in single):
        raise CannotAnswer(
            f"{name}: its log-probabilities are not finite numbers: the file's weights are damaged, or its "
            "training diverged; download it again, or use another model"
        )
    beside = Streams(weights, name).logprobs(texts)
    fewer = Streams(weights, name).logprobs(texts[1::2])
    pairs = [*zip(single, beside, strict=True), *zip(single[1::2], fewer, strict=True)]
    return float(max(np.abs(one - other).max() for one, other in pairs))


def _text(at: int, length: int, vocabulary: int) -> Scored:
    """Tokens from the whole vocabulary, always the same; the first half of the texts begin alike."""
    begins = 0 if at < len(LENGTHS) // 2 else at + 1
    sources = [begins if k < ALIKE else at + 1 for k in range(length + 1)]
    ids = tuple((7 + 7919 * (k + 101 * source)) % vocabulary for k, source in enumerate(sources))
    return Scored(ids[:-1], 0, ids[1:])


def main(file: str) -> None:
    """Try a file and print what was found."""
    try:
        found: dict[str, object] = {"apart": apart(LlamaWeights(Path(file), Path(file).name), file)}
    except TiltmeterError as error:
        found = {"error": str(error)}
    print(json.dumps(found))  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1])
