"""What audits find, by study and by threshold."""
