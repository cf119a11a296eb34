"""GEST: is a man the likelier speaker of sentences that fit a stereotype of men?"""
