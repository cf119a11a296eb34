"""Store the state of a training as safetensors, a format that cannot run code when it is read back.

One file holds the weights that are trained, the optimiser's two moments for each of them, the state of the
random number generators and a few counters. It is written under another name and then renamed, so that
after a crash either the old file or the new one is there, complete.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiltmeter.core.errors import StorageError, reason_of

if TYPE_CHECKING:
    import torch

STATE, BEST = "state.safetensors", "best.safetensors"


@contextmanager
def storing(path: Path) -> Iterator[None]:
    """Turn errors of reading and writing into one that names the file and a way out.

    Raises:
        StorageError: The file could not be read or written.
    """
    from safetensors import SafetensorError

    try:
        yield
    except (OSError, SafetensorError) as error:
        raise StorageError(
            f"{path}: cannot be written or read ({reason_of(error)}); "
            "free some space or name another folder with --out"
        ) from error


def write(path: Path, tensors: Mapping[str, "torch.Tensor"], counters: Mapping[str, Any]) -> None:
    """Write tensors and counters to a file, which is replaced only once the new one is complete.

    Raises:
        StorageError: The file could not be written.
    """
    from safetensors.torch import save_file

    with storing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{path.name}")
        plain = {name: value.detach().cpu().contiguous() for name, value in tensors.items()}
        save_file(plain, temporary, {"counters": json.dumps(counters)})
        temporary.replace(path)


def read(path: Path) -> tuple[dict[str, "torch.Tensor"], dict[str, Any]]:
    """The tensors, on the CPU, and the counters that `write` put into a file.

    Raises:
        StorageError: The file could not be read.
    """
    from safetensors import safe_open

    with storing(path), safe_open(path, "pt") as file:
        counters = json.loads((file.metadata() or {}).get("counters", "{}"))
        return {name: file.get_tensor(name) for name in file.keys()}, counters  # noqa: SIM118


def state_of(
    weights: Mapping[str, "torch.nn.Parameter"],
    optimiser: "torch.optim.Optimizer",
    device: "torch.device",
) -> dict[str, "torch.Tensor"]:
    """Everything that the next step of a training depends on, by name.

    These are the weights, the optimiser's moments and the state of the random number generators.
    """
    import torch

    state: dict[str, torch.Tensor] = {f"weight:{name}": value for name, value in weights.items()}
    for name, value in weights.items():
        state |= {f"moment:{name}:{key}": moment for key, moment in optimiser.state[value].items()}
    state["random"] = torch.get_rng_state()
    if device.type == "cuda":
        state["random:cuda"] = torch.cuda.get_rng_state(device)
    return state


def restore(
    state: Mapping[str, "torch.Tensor"],
    weights: Mapping[str, "torch.nn.Parameter"],
    optimiser: "torch.optim.Optimizer",
    device: "torch.device",
) -> None:
    """Restore weights, optimiser and random number generators from what `state_of` returned."""
    import torch

    load_weights(state, weights)
    for name, value in weights.items():
        start = f"moment:{name}:"
        moments = {k.removeprefix(start): v for k, v in state.items() if k.startswith(start)}
        # the count of steps stays on the CPU, as the optimiser itself keeps it
        optimiser.state[value] = {k: v if k == "step" else v.to(device) for k, v in moments.items()}
    torch.set_rng_state(state["random"])
    if "random:cuda" in state:
        torch.cuda.set_rng_state(state["random:cuda"], device)


def load_weights(
    state: Mapping[str, "torch.Tensor"], weights: Mapping[str, "torch.nn.Parameter"]
) -> None:
    """Copy the weights of a state into those of the model; the rest of the state is ignored."""
    import torch

    with torch.no_grad():
        for name, value in weights.items():
            value.copy_(state[f"weight:{name}"])
