"""Counterfactuals: does a classifier's answer change when only the group in a text does?"""
