"""Tasks of lm-evaluation-harness, one YAML file each, in the folder of this module, for --include_path."""
