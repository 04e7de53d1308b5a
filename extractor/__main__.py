"""The entry of the program, as `python -m extractor` and as the command `extractor`.

Nothing is imported before it is needed: each spawned worker imports this module again.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        from extractor.cli import main as command_line

        command_line()
    except KeyboardInterrupt:  # Before the command line could take care of it.
        sys.exit(130)


if __name__ == "__main__":
    main()
