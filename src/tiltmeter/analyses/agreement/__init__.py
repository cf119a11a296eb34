"""agreement: how far annotators agree, who uses a reversed or shifted scale, and true labels."""
