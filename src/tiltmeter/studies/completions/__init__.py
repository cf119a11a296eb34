"""Completions: how often does a judge flag what a model writes about people of a group?"""
