"""`python -m stagehooks`."""

import sys

if __name__ == "__main__":
    try:
        from stagehooks.cli import main

        code = main()
    except KeyboardInterrupt:  # while the command was still being loaded
        code = 130
    sys.exit(code)
