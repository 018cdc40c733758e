"""`python -m rhaipy`: see `rhaipy.cli`."""

import sys

from rhaipy.cli import main

if __name__ == "__main__":
    sys.exit(main())
