"""Differential fuzzing: random programs for rhaipy and for the real engine, until they disagree: `python -m conformance.fuzz`."""
