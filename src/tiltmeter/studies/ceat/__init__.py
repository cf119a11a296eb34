"""CEAT: association between words in sentences of a corpus."""
