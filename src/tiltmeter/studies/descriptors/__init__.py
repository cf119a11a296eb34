"""Descriptors: how much likelier does a model find sentences about some people than about others?"""
