"""Back-ends, each in a file whose name is the kind of model on the command line (`causal:gpt2`)."""
