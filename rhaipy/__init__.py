"""rhaipy: the Rhai scripting language in pure Python."""
