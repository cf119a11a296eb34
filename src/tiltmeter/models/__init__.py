"""One file a back-end; the file name is the scheme on the command line (`causal:gpt2`)."""
