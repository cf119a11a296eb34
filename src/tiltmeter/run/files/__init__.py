"""Results on disk: run folders, tables of records, merged runs and output files that users name."""
