"""How fast, as ratios in one run."""
