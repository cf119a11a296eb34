"""Computations on results and on people's answers that several analyses, reports or commands use."""
