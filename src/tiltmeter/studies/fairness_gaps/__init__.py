"""Fairness gaps: does a classifier err more often on texts about some groups than about others?"""
