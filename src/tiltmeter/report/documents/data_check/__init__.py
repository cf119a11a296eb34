"""What data sets and files of items hold."""
