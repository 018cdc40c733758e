"""Runs and everything that happens in them, in one SQLite file: written before it is acted on, so that a killed run goes on.

`store` is the face, `database` the only place that knows SQLite (imported where a store is opened), `journal` the record of one
run while it is written or given back, `resume` the way from there to a run.
"""
