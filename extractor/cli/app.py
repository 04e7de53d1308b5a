"""The commands, and the way from the words of a call to one of them."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import partial
from importlib import import_module
from typing import Annotated, NoReturn

import typer

from extractor import __version__
from extractor.cli import terminal
from extractor.cli.ending import WRONG_USAGE, finish, outcome

COMMANDS = ("run", "show", "check", "match", "diff", "job", "site")
"""In the order of `--help`. Each is a function in the file of its name in this folder."""


def main() -> NoReturn:
    """Run the command line and end the process with its exit code."""
    finish(partial(_command, sys.argv[1:]))


def call(arguments: list[str]) -> int:
    """Run the command line with these arguments and return the exit code."""
    return outcome(partial(_command, arguments))


def _command(arguments: list[str]) -> object:
    # A call that names a command at once needs no other; to make all of them takes longer than a small command.
    first = arguments[0] if arguments else "--help"
    command = typer.main.get_command(_app((first,) if first in COMMANDS else COMMANDS))
    # Not in standalone mode, in which Typer prints errors its own way, over several lines.
    code: object = command.main(arguments or ["--help"], prog_name="extractor", standalone_mode=False)
    return code if arguments else WRONG_USAGE


def _app(commands: Iterable[str]) -> typer.Typer:
    app = typer.Typer(
        name="extractor",
        help="Finds every raise ValueError of a Python repository at one commit, with the conditions that guard it.",
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_common)
    for name in commands:
        app.command()(getattr(import_module(f"extractor.cli.{name}"), name))
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        terminal.put(f"extractor {__version__}")
        raise typer.Exit


def _common(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    pass
