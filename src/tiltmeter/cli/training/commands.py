"""Commands that train models, and that mitigate bias in them."""

from tiltmeter.cli.machinery.command_entries import CommandEntry as Command
from tiltmeter.cli.machinery.command_entries import GroupEntry as Group
from tiltmeter.cli.machinery.command_entries import Panels

PANELS: Panels = {
    "Prepare": (
        Group("train",
            "Train what a study needs and a model lacks: heads, classifiers.", (
            Command("next-sentence", "training.train:next_sentence",
                "Train a next-sentence head: does one sentence follow another?", keeps=True),
            Command("inference", "training.train:inference",
                "Train a language model to write what may be true of a premise.", keeps=True),
            Command("classifier", "training.train:classifier",
                "Train a classifier of texts with several seeds, and test each once.", keeps=True),
            Command("grid", "training.grid:grid",
                "Train classifiers of models × data sets and measure them. After a stop, the same command "
                "continues.", keeps=True),
        )),
        Group("mitigate", "Mitigate bias in a model; every study then runs on the result.", (
            Command("fit", "training.mitigate:fit",
                "Find the directions of a model's states that distinguish groups."),
            Command("prompt", "training.mitigate:prompt",
                "Down-weight words that a bias-eliciting prompt favours: self-debias decoding."),
            Command("train", "training.mitigate:train",
                "Train a model further to mitigate bias: with counterfactual sentences, or more dropout.",
                keeps=True),
            Command("apply", "training.mitigate:apply",
                "Apply a mitigation made for one model to another, such as a fine-tuned one."),
            Command("export", "training.mitigate:export",
                "Write a masked or causal model as a normal checkpoint, with the directions removed."),
            Command("show", "training.mitigate:show",
                "Show a mitigation: its directions and how much they explain, or its prompts."),
        )),
    ),
}  # fmt: skip
