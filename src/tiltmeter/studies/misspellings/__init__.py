"""Misspelt swear words: does a model that writes still see that a comment is hateful?"""
