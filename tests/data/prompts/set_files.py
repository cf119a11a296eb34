"""Parts of prompt sets, to be written to files and read."""

import pytest

from tiltmeter.core.errors import BadItems
from tiltmeter.data.prompts.prompt_set_file import read_prompt_set

TOP = 'categories = ["rude"]\n'
ASKED = """
[settings.zero]
prompt = "Is it {category}? {text}"
options = ["yes", "no"]
truth = { "{category}" = "yes", "*" = "no" }
positive = "yes"
"""
TEXTS = """
[[texts]]
text = "Get lost!"
label = "rude"
groups = { place = "street" }

[[texts]]
text = "After you."
label = "polite"
"""
EXAMPLES = """
[[examples]]
text = "Shut up."
label = "rude"
set = "a"

[[examples]]
text = "Thanks."
label = "polite"
set = "a"
"""
SHOWN = """
[settings.few]
prompt = "{examples}\\n{text}:"
example = "{example}: {example_label}"
shown = ["rude", "polite"]
options = ["rude", "polite"]
"""


def written(folder, *parts, name="mine.toml"):
    path = folder / name
    path.write_text("".join(parts), "utf-8")
    return path


def complaints(path):
    with pytest.raises(BadItems) as found:
        read_prompt_set(path)
    return [str(problem) for problem in found.value.problems]
