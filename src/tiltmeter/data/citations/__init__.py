"""What is cited where results are reported: the bibliography, and how a source is found in it."""
