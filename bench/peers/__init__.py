"""Other engines that can be installed from PyPI, each in a process of its own that has nothing else installed."""
