"""Conformance: rhaipy and the real engine answer the same programs, and their answers are compared field by field."""
