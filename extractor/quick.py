"""The command `match` without the command-line library, whose import takes longer than the answer.

`__main__` comes here first for `match`; a call that is not plainly readable (`--help`, a wrong option) is left to
`cli/match.py`, the same command with its help text and the messages of wrong usage.
"""

from __future__ import annotations

import gc
import io
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NoReturn

import msgspec
from msgspec import Struct

from extractor.cli import terminal
from extractor.errors import ExtractorError, UsageError

if TYPE_CHECKING:
    from extractor.dataset.folder import Folder
    from extractor.match.catalog import Catalog
    from extractor.model.answer import Answer

DONE, NOTHING_FITS = 0, 1
_FEWEST_CANDIDATES = 3
_LONGEST_PATH = 4_096
_MANIFEST = "manifest.json"
_INDEX = "index.json"
_STYLES = {
    "title": "bold",
    "good": "bold green",
    "fair": "bold yellow",
    "weak": "bold magenta",
    "key": "cyan",
    "dim": "dim",
    "plain": "",
}


class Call(Struct, frozen=True):
    """What `match` was asked."""

    dataset: str | None
    """Folder of the dataset; none for the default one."""
    text: str
    """The text, a file's path, or `-`."""
    limit: int = _FEWEST_CANDIDATES
    """Most candidates."""
    json: bool = False
    """Whether JSON is wanted."""


def parse(arguments: Sequence[str]) -> Call | None:
    """Return what the arguments behind `match` ask for; none if they are for the other command line to judge."""
    words: list[str] = []
    limit, json = _FEWEST_CANDIDATES, False
    waiting = iter(arguments)
    for argument in waiting:
        if argument == "--":
            words += waiting
        elif argument == "--json":
            json = True
        elif argument in ("-n", "--candidates"):
            number = next(waiting, "")
            if not (number.isascii() and number.isdigit() and 0 < int(number[:6]) < 1_000):
                return None
            limit = int(number)
        elif argument.startswith("-") and argument != "-" and not _is_text(argument):
            return None
        else:
            words.append(argument)
    return call(words, limit, json=json)


def call(words: Sequence[str], limit: int, *, json: bool) -> Call | None:
    """Return the call with these words: a dataset's folder, a text, both or none; none if there are more."""
    if len(words) > 2:
        return None
    if len(words) == 2:
        return Call(words[0], words[1], limit, json)
    if words and _is_dataset(words[0]):
        return Call(words[0], "-", limit, json)
    return Call(None, words[0] if words else "-", limit, json)


def run(request: Call) -> NoReturn:
    """Answer and end the process; a failure is put into words by the other command line."""
    try:
        code = main(request)
        terminal.flush()
    except BaseException as error:
        from extractor.cli.ending import finish

        finish(partial(_fail_again, error))
    sys.exit(code)


def _fail_again(error: BaseException) -> NoReturn:
    raise error


def main(request: Call) -> int:
    """Answer on standard output and return the exit code: 1 if nothing fits. Raises `ExtractorError`."""
    gc.disable()  # Thousands of rows are read, none is dropped: looking for garbage would take half the time.
    from extractor.cli.settings import default_dataset
    from extractor.dataset.folder import consistently
    from extractor.match import stream
    from extractor.match.answers import answer
    from extractor.match.details import Details
    from extractor.match.matcher import Matcher
    from extractor.match.tally import Tally

    source = _open(request.text)
    folder = Path(request.dataset) if request.dataset is not None else default_dataset()
    catalog = consistently(folder, _catalog)
    tally = Tally(Matcher(catalog))
    gc.enable()
    gc.freeze()
    with source:
        tally.read(stream.pieces(source.read, catalog))
    found = consistently(folder, lambda opened: answer(catalog, tally, Details(opened.read), request.limit))
    if request.json:
        terminal.write(msgspec.json.format(msgspec.json.encode(found), indent=2).decode() + "\n")
    else:
        _show(found)
    return DONE if found.matches else NOTHING_FITS


def _catalog(folder: Folder) -> Catalog:
    from extractor.dataset.folder import DatasetError
    from extractor.match.catalog import decode

    try:
        return decode(folder.read(_INDEX))
    except FileNotFoundError:
        if _MANIFEST in folder.names("."):
            raise DatasetError.damaged(folder.path, _INDEX, "is missing") from None
        raise DatasetError.foreign(folder.path, f"it holds no {_MANIFEST}") from None
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DatasetError.damaged(folder.path, _INDEX, f"cannot be read: {error}") from None


def _show(found: Answer) -> None:
    """Print for a person; with colours, and wrapped at blanks, where one is looking."""
    from extractor.match.show import lines

    if not terminal.is_seen():
        for line in lines(found):
            terminal.write("".join(_visible(text) for _, text in line) + "\n")
        return
    from rich.text import Text

    console = terminal.console()
    for line in lines(found):
        shown = Text.assemble(*((_visible(text), _STYLES[style]) for style, text in line))
        console.print(shown, soft_wrap=" " not in shown.plain)  # A link that is broken in two cannot be followed.


def _open(text: str) -> BinaryIO:
    """Return the bytes of a text, of the file it names, or of standard input for `-`."""
    if text == "-":
        if sys.stdin.isatty():
            raise UsageError("no text: give one, name a file, or pipe it in; see extractor match --help")
        return sys.stdin.buffer
    path = Path(text)
    if len(text) < _LONGEST_PATH and text.isprintable() and _is_file(path):
        try:
            return path.open("rb")
        except OSError as error:
            raise UnreadableError.at(text, error) from error
    return io.BytesIO(text.encode("utf-8", "surrogateescape"))


class UnreadableError(ExtractorError):
    """A file cannot be read."""

    @classmethod
    def at(cls, path: str, error: OSError) -> UnreadableError:
        """Name the file and what the system says."""
        return cls(f"cannot read {path!a}: {error.strerror or type(error).__name__}")


def _is_file(path: Path) -> bool:
    try:
        return path.is_file() or path.is_fifo()
    except OSError:
        return False


def _is_dataset(word: str) -> bool:
    try:
        return len(word) < _LONGEST_PATH and (Path(word) / _MANIFEST).is_file()
    except (OSError, ValueError):
        return False


def _is_text(argument: str) -> bool:
    return any(character.isspace() for character in argument)


def _visible(text: str) -> str:
    """Return text with what could steer a terminal as escapes, line breaks and tabs aside."""
    return terminal.printable(text, keep="\n\t")
