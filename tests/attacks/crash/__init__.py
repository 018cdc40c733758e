"""Fuzzing for crashes: anything at all is given to everything that reads, and nothing but our own errors may come out.

`targets` are what reads, `mutator` makes what is read, `python -m tests.attacks.crash` brings them together.
"""
