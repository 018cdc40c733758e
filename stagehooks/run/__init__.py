"""The life of an agent: what it holds (`window`), its seven hook points (`points`, `hooks`), and the driver (`lifecycle`)."""
