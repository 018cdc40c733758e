"""`python -m stagehooks`, and the command `stagehooks`."""

import gc
import sys


def main() -> int:
    """Run the command in `sys.argv`; the exit code.

    What is loaded stays to the end, so that the collector of garbage need not look at it, neither now nor at the end.
    """
    gc.disable()
    try:
        from stagehooks.cli import main

        gc.freeze()
        gc.enable()
        code = main()
    except KeyboardInterrupt:  # while the command was still being loaded
        code = 130
    gc.freeze()
    return code


if __name__ == "__main__":
    sys.exit(main())
