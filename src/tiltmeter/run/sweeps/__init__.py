"""Many studies of many models: sweeps and audits, planned, resumed and run model by model."""
