"""`python -m derive` and the command `derive`."""

import sys


def main() -> None:
    """Run the command line and exit with its code."""
    from derive.cli.main import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
