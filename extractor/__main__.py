"""The entry of the program, as `python -m extractor` and as the command `extractor`.

Nothing is imported before it is needed: each spawned worker imports this module again.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        if sys.argv[1:2] == ["match"]:
            from extractor import quick

            request = quick.parse(sys.argv[2:])
            if request is not None:
                quick.run(request)
        from extractor.cli.app import main as command_line

        command_line()
    except KeyboardInterrupt:  # Before the command line could take care of it.
        sys.exit(130)


if __name__ == "__main__":
    main()
