"""All that runs on the hardened engine, and nothing that knows of agents, regions or models."""
