"""Self-debias decoding as a folder: prompts and two numbers, and no training at all."""

import math
import tomllib
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from tiltmeter import __version__
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.mitigate.folder import free, reference_of, save
from tiltmeter.models.mitigated import FORMAT, PROMPTED, check
from tiltmeter.models.mitigations.prompted import Prompts, against
from tiltmeter.models.opening.model_files import files_digest
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, place_of, resolve

PACKAGED = "prompts.toml"
DECAY, EPSILON = 50.0, 0.01
"""As in the paper, and in its authors' program."""


def published() -> dict[str, tuple[str, ...]]:
    """Prompts that papers have used, by attribute.

    >>> published()["gender"]
    ('The following text discriminates against people because of their gender: ',)
    """
    text = (resources.files("tiltmeter.data") / "starter" / PACKAGED).read_text("utf-8")
    return {name: tuple(prompts) for name, prompts in tomllib.loads(text).items()}


def prompt(
    model: str,
    attribute: str,
    out: Path,
    prompts: Sequence[str] = (),
    *,
    decay: float = DECAY,
    epsilon: float = EPSILON,
    options: Options | None = None,
) -> Path:
    """Save prompts for a model; the folder can be opened as `mitigated:FOLDER`.

    The model is opened, to see that a text has room behind each prompt.

    Raises:
        UnknownName: There are no published prompts for the attribute, and none were given.
        BadInput: A number is out of range, a prompt is empty, or something is at `out` already.
        CannotAnswer: The model gives no probabilities of words, or a prompt leaves no room for a text.
    """
    options = options or Options()
    texts = _texts(attribute, prompts)
    _check_numbers(decay, epsilon)
    free(out)
    where = resolve(model, options)
    check(PROMPTED, where, model)
    opened = open_model(where, options)
    against(opened, Prompts(texts, decay, epsilon, {}))
    lengths = [sum(not special for special in t.special) for t in opened.encode(texts)]
    description = {
        "format": FORMAT,
        "method": PROMPTED,
        "attribute": attribute,
        "model": {
            "reference": reference_of(model),
            "name": where.name,
            "fingerprint": opened.fingerprint,
            "sha256": files_digest(place_of(where, options)),
        },
        "prompts": list(texts),
        "decay": decay,
        "epsilon": epsilon,
        "fitted": {"prompts": len(texts), "longest prompt": max(lengths)},
        "versions": {"tiltmeter": __version__},
    }
    save(out, description)
    return out


def _texts(attribute: str, prompts: Sequence[str]) -> tuple[str, ...]:
    if not prompts:
        known = published()
        if attribute not in known:
            raise UnknownName("attribute with published prompts", attribute, known)
        return known[attribute]
    if not all(text.strip() for text in prompts):
        raise BadInput("a prompt is empty", "leave out --prompt, or give a text")
    return tuple(dict.fromkeys(prompts))


def _check_numbers(decay: float, epsilon: float) -> None:
    if not (math.isfinite(decay) and decay >= 0):
        raise BadInput(f"a decay of {decay} is not 0 or more", f"the paper uses {DECAY:g}")
    if not 0 <= epsilon <= 1:
        raise BadInput(
            f"an epsilon of {epsilon} is not from 0 to 1", f"the published program uses {EPSILON}"
        )
