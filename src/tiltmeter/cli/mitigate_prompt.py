"""mitigate prompt: self-debias decoding."""

from typing import Annotated

from tiltmeter.cli.arguments import Json
from tiltmeter.cli.mitigate_show import show_mitigation
from tiltmeter.cli.option_parameters import only
from tiltmeter.mitigate.mitigation_config import PromptConfig
from tiltmeter.models.opening.model_options import Options


def prompt(
    config: PromptConfig,
    *,
    opening: Annotated[Options, only("device", "revision", "allow_pickle")],
    as_json: Json = False,
) -> None:
    """Down-weight words that a bias-eliciting prompt favours: self-debias decoding."""
    from tiltmeter.mitigate.prompt import prompt

    show_mitigation(prompt(config, opening), as_json=as_json)
