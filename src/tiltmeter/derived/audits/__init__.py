"""Audits of a model: a finding for each study, and thresholds that results must keep."""
