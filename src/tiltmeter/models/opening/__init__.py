"""From a name or folder to a loaded model: its files, kind and options, and what keeps it from loading."""
