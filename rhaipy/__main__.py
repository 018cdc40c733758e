"""`python -m rhaipy`: see `rhaipy.cli`."""

import gc
import sys

from rhaipy.cli import main as run


def main() -> int:
    """Run the command in `sys.argv`; the exit code.

    What is loaded stays to the end, so that the collector of garbage need not look at it.
    """
    gc.freeze()
    code = run()
    gc.freeze()
    return code


if __name__ == "__main__":
    sys.exit(main())
