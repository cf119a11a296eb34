"""Write the folder for self-debias decoding, which needs prompts and two numbers but no training."""

import tomllib
from collections.abc import Sequence
from pathlib import Path

from tiltmeter import __version__
from tiltmeter.core.errors import UnknownName
from tiltmeter.data.downloads.places import package_file
from tiltmeter.mitigate.folder import free, reference_of, save
from tiltmeter.mitigate.mitigation_config import PromptConfig
from tiltmeter.models.applied_mitigations.prompted import Prompts, against
from tiltmeter.models.mitigated import FORMAT, PROMPTED, check
from tiltmeter.models.opening.model_files import files_digest
from tiltmeter.models.opening.model_options import DEFAULTS, Options
from tiltmeter.models.opening.open_model import open_model, place_of, resolve

PACKAGED = "self_debias_prompts.toml"
"""Name of the packaged file with published prompts."""


def published() -> dict[str, tuple[str, ...]]:
    """Prompts that published papers use, by attribute.

    >>> published()["gender"]
    ('The following text discriminates against people because of their gender: ',)
    """
    text = package_file(f"starter/{PACKAGED}").read_text("utf-8")
    return {name: tuple(prompts) for name, prompts in tomllib.loads(text).items()}


def prompt(config: PromptConfig, options: Options = DEFAULTS) -> Path:
    """Save prompts for a model in a folder, which can be opened as `mitigated:FOLDER`.

    The model is opened, to check that each prompt leaves room for a text after it.

    Args:
        config: The model, the prompts and how strongly words are down-weighted.
        options: How the model is opened.

    Returns:
        The folder.

    Raises:
        UnknownName: There are no published prompts for the attribute, and none were given.
        BadInput: The folder is not empty.
        CannotAnswer: The model gives no probabilities of words, or a prompt leaves no room for a text.
    """
    out, model = config.folder, config.model
    texts = _texts(config.attribute, config.prompts)
    free(out)
    where = resolve(model, options)
    check(PROMPTED, where, model)
    opened = open_model(where, options)
    against(opened, Prompts(texts, config.decay, config.epsilon, {}))
    lengths = [sum(not special for special in t.special) for t in opened.encode(texts)]
    description = {
        "format": FORMAT,
        "method": PROMPTED,
        "attribute": config.attribute,
        "model": {
            "reference": reference_of(model),
            "name": where.name,
            "fingerprint": opened.fingerprint,
            "sha256": files_digest(place_of(where, options)),
        },
        "prompts": list(texts),
        "decay": config.decay,
        "epsilon": config.epsilon,
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
    return tuple(dict.fromkeys(prompts))
