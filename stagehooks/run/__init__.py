"""The life of an agent: what it holds (`window`, made of `region`), its seven hook points (`points`, `hooks`), the driver
(`lifecycle`) and what it tells (`events`).
"""
