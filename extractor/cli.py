"""The command line: options to a `Config`, one call, its outcome to text and an exit code.

Only this file prints, and `quick.py`, which answers `match` without it.

Results go to standard output, everything else to standard error. A command is one function below with its options;
what it does stands elsewhere. Imports inside functions keep `--help` and the other commands from paying for a stage.
"""

from __future__ import annotations

import errno
import gc
import os
import re
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from extractor import __version__
from extractor.errors import ExtractorError, UsageError

if TYPE_CHECKING:
    from extractor.config import Config, Settings
    from extractor.model.change import Diff
    from extractor.publish import SiteSettings
    from extractor.report import Advance, Watch

DONE, FAILED, WRONG_USAGE, OUR_BUG, INTERRUPTED = 0, 1, 2, 3, 130
TERMINATED = 128 + signal.SIGTERM
_SYSTEM = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EMFILE, errno.ENFILE, errno.ENOMEM)
"""What the system may refuse at any moment, and no fault of ours."""

app = typer.Typer(
    name="extractor",
    help="Finds every raise ValueError of a Python repository at one commit, with the conditions that guard it.",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

FORMS = ("text", "markdown", "json")

Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Only warnings and errors.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Say what each stage took.")]


def _print_version(wanted: bool) -> None:
    if wanted:
        _print(f"extractor {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    pass


@app.command()
def run(
    repo: Annotated[str | None, typer.Option(metavar="OWNER/NAME", help="Name to publish under.")] = None,
    url: Annotated[str | None, typer.Option(metavar="URL_OR_PATH", help="Where to fetch from.")] = None,
    sha: Annotated[
        str | None, typer.Option(metavar="REF", help="Commit, abbreviation, branch or tag; HEAD of a given --url.")
    ] = None,
    pypi: Annotated[
        str | None, typer.Option(metavar="[NAME==]VERSION", help="Scan a released wheel instead of a repository.")
    ] = None,
    output: Annotated[str | None, typer.Option("--output", "-o", metavar="OUT", help="Folder of the dataset.")] = None,
    include: Annotated[
        list[str] | None, typer.Option(metavar="GLOB", help="Scan these paths only; as in .gitignore; repeatable.")
    ] = None,
    exclude: Annotated[
        list[str] | None, typer.Option(metavar="GLOB", help="Leave these paths out; !GLOB takes back; repeatable.")
    ] = None,
    exception: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="One more wanted class besides ValueError; repeatable.")
    ] = None,
    subclasses: Annotated[
        bool | None, typer.Option("--subclasses/--no-subclasses", help="Subclasses the repository defines, too.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(metavar="N", help="Worker processes; one a processor by default.")] = None,
    cache: Annotated[str | None, typer.Option("--cache", metavar="DIR", help="Folder of the cache.")] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Keep nothing, use nothing kept.")] = False,
    if_changed: Annotated[
        bool, typer.Option("--if-changed", help="Do nothing if OUT is of that commit, these options and this version.")
    ] = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Read one commit and write its dataset."""
    from extractor import pipeline
    from extractor.config import Settings
    from extractor.report import summary, warnings

    call = Settings(
        repo=repo,
        url=url,
        sha=sha,
        pypi=pypi,
        output=output,
        include=_given(include),
        exclude=_given(exclude),
        exceptions=_given(exception),
        subclasses=subclasses,
        jobs=jobs,
        cache=_cache_setting(cache, no_cache),
    )
    gc.disable()  # The values of a run hold no cycles; looking for some takes a fifth of a warm one.
    config = _resolved(call)
    if if_changed:
        from extractor.freshness import done_already

        manifest = done_already(config)
        if manifest is not None:
            if not quiet:
                _print(f"{config.output} is of {manifest.sha} already; nothing to do")
            return
    with _progress(quiet, verbose) as watch:
        report = pipeline.run(config, watch)
    for text in warnings(report):
        _warn(text)
    if not quiet:
        _print(*summary(report))


@app.command()
def show(
    arguments: Annotated[
        list[str], typer.Argument(metavar="[DATASET] ID_OR_SLUG", help="A dataset's folder, and a record's id or slug.")
    ],
) -> None:
    """Print one record for a person."""
    from rich.console import Console

    from extractor.dataset.read import find, read
    from extractor.dataset.render import render

    if len(arguments) > 2:
        raise UsageError("show takes a dataset and one id or slug, not more")
    folder = Path(arguments[0]) if len(arguments) == 2 else _default_dataset()
    console = Console()
    # Wrapped for an eye; a pipe gets each text in one piece, so that it can be searched.
    console.print(render(*find(read(folder), arguments[-1])), soft_wrap=not console.is_terminal)


@app.command()
def check(
    folder: Annotated[Path, typer.Argument(metavar="DATASET", help="A dataset's folder.")],
) -> None:
    """Validate a dataset against the schemas and its manifest."""
    from extractor.dataset.check import check as problems_of

    problems = problems_of(folder)
    _print(*(f"{problem.where}: {problem.what}" for problem in problems))
    if problems:
        raise ExtractorError(f"{folder} has {len(problems)} problem(s); write it anew with extractor run")
    _print(f"{folder} is sound")


@app.command()
def match(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[DATASET] [TEXT | - | FILE]",
            help="A dataset's folder (output/dataset by default); the text itself, a file that holds it, or - for"
            " standard input, which is also read if no text is given.",
        ),
    ] = None,
    candidates: Annotated[
        int, typer.Option("--candidates", "-n", metavar="N", min=1, max=999, help="Show at most N records.")
    ] = 3,
    json: Annotated[bool, typer.Option("--json", help="Answer as JSON (schemas/match.v1.schema.json).")] = False,
) -> int:
    """Tell which error a pasted message, traceback or log comes from.

    Wrapped, quoted, cut off or coloured text is read as well, and logs of any length. Of each error: the record, how
    sure that is and why, the values in its message, the condition with them, the first fix. Errors raised outside the
    scanned code are named as such. Exits 1 if nothing fits.
    """
    from extractor import quick

    request = quick.call(arguments or (), candidates, json=json)
    if request is None:
        raise UsageError("match takes a dataset and one text, not more; put the text in quotes")
    return quick.main(request)


@app.command()
def diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help="A dataset's folder, or a commit, branch, tag, release.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The same.")],
    repo: Annotated[str | None, typer.Option(metavar="OWNER/NAME", help="Repository of the commits.")] = None,
    url: Annotated[str | None, typer.Option(metavar="URL_OR_PATH", help="Where to fetch the commits from.")] = None,
    pypi: Annotated[
        bool, typer.Option("--pypi", help="OLD and NEW are released wheels, [NAME==]VERSION, instead of commits.")
    ] = False,
    include: Annotated[list[str] | None, typer.Option(metavar="GLOB", help="As for run; repeatable.")] = None,
    exclude: Annotated[list[str] | None, typer.Option(metavar="GLOB", help="As for run; repeatable.")] = None,
    exception: Annotated[list[str] | None, typer.Option(metavar="NAME", help="As for run; repeatable.")] = None,
    form: Annotated[
        str, typer.Option("--format", "-f", metavar="FORM", help="text, markdown (job summary, release notes) or json.")
    ] = "text",
    limit: Annotated[
        int, typer.Option("--limit", "-n", metavar="N", min=0, help="Entries of each list; 0 for all; json has all.")
    ] = 20,
    exit_code: Annotated[bool, typer.Option("--exit-code", help="Exit 1 when something changed.")] = False,
    jobs: Annotated[int | None, typer.Option(metavar="N", help="Worker processes; one a processor by default.")] = None,
    cache: Annotated[str | None, typer.Option("--cache", metavar="DIR", help="Folder of the cache.")] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Keep nothing, use nothing kept.")] = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Tell what changed: errors added, removed, moved, reworded, and those with other conditions.

    OLD and NEW are folders of datasets. What is no dataset is scanned first:
    a commit of the repository, or with --pypi a release.
    """
    from extractor.comparison import difference
    from extractor.config import Settings

    if form not in FORMS:
        raise UsageError(f"--format: {form!r} is no form; give {', '.join(FORMS)}")
    gc.disable()  # As for a run.
    given = _configure(
        Settings(
            repo=repo,
            url=url,
            include=_given(include),
            exclude=_given(exclude),
            exceptions=_given(exception),
            jobs=jobs,
            cache=_cache_setting(cache, no_cache),
        )
    )
    with _progress(quiet, verbose) as watch:
        found = difference(old, new, lambda name: given(Settings(pypi=name) if pypi else Settings(sha=name)), watch)
    _show_diff(found, form, limit or None)
    if exit_code and not found.empty:
        raise typer.Exit(FAILED)


@app.command()
def job(
    data: Annotated[
        str,
        typer.Option(
            metavar="URL_OR_PATH", envvar="EXTRACTOR_DATA", help="Repository that keeps the datasets; pushed to."
        ),
    ],
    data_branch: Annotated[str, typer.Option(metavar="BRANCH", help="Its branch: one commit a dataset.")] = "data",
    repo: Annotated[str | None, typer.Option(metavar="OWNER/NAME", help="Name to publish under.")] = None,
    url: Annotated[str | None, typer.Option(metavar="URL_OR_PATH", help="Where to fetch from.")] = None,
    ref: Annotated[str, typer.Option(metavar="REF", help="Branch to follow; or any ref.")] = "HEAD",
    output: Annotated[str | None, typer.Option("--output", "-o", metavar="OUT", help="Folder of the dataset.")] = None,
    include: Annotated[list[str] | None, typer.Option(metavar="GLOB", help="As for run; repeatable.")] = None,
    exclude: Annotated[list[str] | None, typer.Option(metavar="GLOB", help="As for run; repeatable.")] = None,
    exception: Annotated[list[str] | None, typer.Option(metavar="NAME", help="As for run; repeatable.")] = None,
    summary: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", envvar="GITHUB_STEP_SUMMARY", help="Markdown is added to it; standard output if not given."
        ),
    ] = None,
    outputs: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", envvar="GITHUB_OUTPUT", help="Lines changed=, sha=, data-commit= are added to it."
        ),
    ] = None,
    jobs: Annotated[int | None, typer.Option(metavar="N", help="Worker processes; one a processor by default.")] = None,
    cache: Annotated[str | None, typer.Option("--cache", metavar="DIR", help="Folder of the cache.")] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Keep nothing, use nothing kept.")] = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Follow a branch: read its newest commit, tell what changed, keep the dataset in a branch of its own.

    Looks the branch up and does nothing if that commit is done. Otherwise
    reads it, checks the dataset, compares it with the last one of the data
    branch and puts it on top of that, in one step: a job that is killed has
    done nothing. Meant for cron and CI; one at a time on a machine.

    A token for an https:// repository of data goes into the variable
    EXTRACTOR_DATA_TOKEN.
    """
    from extractor.config import Settings
    from extractor.job import run as steps
    from extractor.job import summary as told
    from extractor.job.branch import target

    call = Settings(
        repo=repo,
        url=url,
        sha=ref,
        output=output,
        include=_given(include),
        exclude=_given(exclude),
        exceptions=_given(exception),
        jobs=jobs,
        cache=_cache_setting(cache, no_cache),
    )
    gc.disable()  # As for a run.
    where = target(data, data_branch, os.environ.get("EXTRACTOR_DATA_TOKEN", ""))
    with _progress(quiet, verbose) as watch:
        done = steps.run(_resolved(call), where, watch)
    _tell(told.summary(done), summary)
    if outputs is not None:
        _tell(told.outputs(done), outputs)


@app.command()
def site(
    folder: Annotated[Path | None, typer.Argument(metavar="[DATASET]", help="A dataset's folder.")] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="DIR", help="Folder of the site.")] = None,
    base_url: Annotated[
        str | None, typer.Option(metavar="URL", help="Address under which the site will stand.")
    ] = None,
    previous: Annotated[
        Path | None, typer.Option(metavar="DATASET", help="An older dataset, for the list and feed of what changed.")
    ] = None,
    report_url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Where readers report mistakes; the repository's issues by default."),
    ] = None,
    jobs: Annotated[int | None, typer.Option(metavar="N", help="Worker processes; one a processor by default.")] = None,
    serve: Annotated[
        bool, typer.Option("--serve", help="Serve the site on 127.0.0.1 for a look, until Ctrl-C.")
    ] = False,
    port: Annotated[int | None, typer.Option(metavar="N", help="Port of --serve; 8000 by default.")] = None,
    quiet: Quiet = False,
) -> None:
    """Write web pages, a JSON API and search from a dataset."""
    from extractor.comparison import difference
    from extractor.publish import SiteSettings, build, site_summary
    from extractor.publish.settings import DEFAULT_OUTPUT, check_jobs, check_report, check_url
    from extractor.report import Silent

    settings = SiteSettings(
        dataset=folder if folder is not None else _default_dataset(),
        output=output if output is not None else Path(DEFAULT_OUTPUT),
        base_url=check_url(base_url),
        previous=previous,
        report_url=check_report(report_url),
        jobs=check_jobs(jobs),
    )
    report = build(settings, lambda old, new: difference(str(old), str(new), None, Silent()))
    if not quiet:
        _print(*site_summary(settings, report))
    if serve:
        _serve(settings, port, quiet)


def _serve(settings: SiteSettings, port: int | None, quiet: bool) -> None:
    """Serve the site until somebody stops it."""
    from extractor.publish.serve import server
    from extractor.publish.settings import DEFAULT_PORT

    with server(settings.output, settings.base_path, DEFAULT_PORT if port is None else port, _say) as running:
        _print(f"http://127.0.0.1:{running.server_port}{settings.base_path}")
        sys.stdout.flush()
        if not quiet:
            _say("extractor: serving until Ctrl-C")
        running.serve_forever()


def main() -> NoReturn:
    """Run the command line and end the process with its exit code."""
    finish(partial(_command, sys.argv[1:]))


def finish(work: Callable[[], object]) -> NoReturn:
    """Do `work` and end the process with the exit code that it returns, or that suits how it failed."""
    signal.signal(signal.SIGTERM, _terminate)
    code = _outcome(work)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # What is left is cleaning up.
    code = _flush(code)
    sys.exit(code)


def _call(arguments: list[str]) -> int:
    return _outcome(partial(_command, arguments))


def _command(arguments: list[str]) -> object:
    # Not in standalone mode, in which Typer prints errors its own way, over several lines.
    command = typer.main.get_command(app)
    code: object = command.main(arguments or ["--help"], prog_name="extractor", standalone_mode=False)
    return code if arguments else WRONG_USAGE


def _outcome(work: Callable[[], object]) -> int:
    """Run one command; every way in which it can end becomes an exit code, and at most one line."""
    try:
        code = work()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # Whoever read our output has seen enough.
        return FAILED
    except UsageError as error:
        return _fail(str(error), WRONG_USAGE)
    except ExtractorError as error:
        return _fail(str(error), FAILED)
    except typer.TyperException as error:
        return _fail(_explain(error), WRONG_USAGE)
    except MemoryError:
        return _fail("out of memory; scan less with --include, or use fewer --jobs", FAILED)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _SYSTEM:
            return _fail(f"the system refuses: {error}", FAILED)
        return _fail(_confess(), OUR_BUG)
    return code if isinstance(code, int) else DONE


def _explain(error: typer.TyperException) -> str:
    """Return Typer's own sentence about a wrong call."""
    said = getattr(error, "format_message", lambda: str(error))()
    return f"{said.rstrip('.')}; see extractor --help"


def _confess() -> str:
    """Keep the traceback of a bug of ours in a file, and return a line that says where."""
    text = re.sub(r"(?<=://)[^/\s'\"]*@", "", traceback.format_exc())  # URLs may hold credentials.
    with tempfile.NamedTemporaryFile(
        "w", prefix="extractor-", suffix=".log", delete=False, encoding="utf-8", errors="backslashreplace"
    ) as log:
        log.write(f"extractor {__version__}, Python {sys.version}\n{text}")
    return f"this is a bug of extractor; please report it with the traceback in {log.name}"


def _fail(text: str, code: int) -> int:
    _say(f"extractor: error: {text}")
    return code


def _warn(text: str) -> None:
    _say(f"extractor: warning: {text}")


def _say(line: str) -> None:
    """Print one line on standard error, whatever stands in it."""
    try:
        sys.stderr.write(_printable(" ".join(line.split())) + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):  # Nobody is there to read it; the exit code still tells.
        return


def _print(*lines: str) -> None:
    sys.stdout.write("".join(f"{_printable(line, keep=chr(10))}\n" for line in lines))


def _printable(text: str, keep: str = "") -> str:
    """Return `text` with what could steer a terminal, or no encoding can hold, as escapes."""
    return "".join(
        char if char.isprintable() or char in keep else char.encode("unicode_escape", "surrogatepass").decode("ascii")
        for char in text
    )


def _flush(code: int) -> int:
    """Write out what is buffered; a reader that went away is no news."""
    try:
        sys.stdout.flush()
    except OSError as error:
        # Python flushes once more at exit and would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return code or FAILED
        return code or _fail(f"cannot write the result: {error}", FAILED)
    return code


def _terminate(_number: int, _frame: FrameType | None) -> NoReturn:
    """End in order on SIGTERM, so that nothing staged is left behind."""
    sys.exit(TERMINATED)


def _show_diff(found: Diff, form: str, limit: int | None) -> None:
    if form == "text":
        from rich.console import Console

        from extractor.diff.terminal import render

        console = Console(highlight=False, soft_wrap=True)
        for line in render(found, limit):
            console.print(line)
    elif form == "markdown":
        from extractor.diff.markdown import render as markdown

        sys.stdout.write(markdown(found, limit))
    else:
        from msgspec import json

        sys.stdout.write(json.format(json.encode(found)).decode() + "\n")


def _tell(text: str, file: Path | None) -> None:
    """Add text to a file, or print it."""
    if file is None:
        sys.stdout.write(text)
        return
    with file.open("a", encoding="utf-8") as stream:
        stream.write(text)


def _configure(base: Settings) -> Callable[[Settings], Config]:
    """Return what makes a run of a few more settings on top of `base`."""
    from msgspec import structs

    def merged(more: Settings) -> Config:
        set_ = {name: value for name, value in structs.asdict(more).items() if value is not None}
        return _resolved(structs.replace(base, **set_))

    return merged


def _resolved(call: Settings) -> Config:
    from platformdirs import user_cache_path

    from extractor.config import resolve

    return resolve(call, Path(), os.environ, user_cache_path("extractor", appauthor=False))


def _cache_setting(cache: str | None, no_cache: bool) -> str | bool | None:
    if cache is not None and no_cache:
        raise UsageError("--cache and --no-cache contradict each other; leave one out")
    return False if no_cache else cache


def _given(values: list[str] | None) -> tuple[str, ...] | None:
    return tuple(values) if values else None


def _default_dataset() -> Path:
    from extractor.config import DEFAULT_OUTPUT, PROJECT_FILE, read_project

    return Path(read_project(Path(PROJECT_FILE)).output or DEFAULT_OUTPUT)


class _Lines:
    """Tells how a run is getting on in whole lines (a `report.Watch`)."""

    def __init__(self, verbose: bool) -> None:
        self._verbose = verbose

    def stage(self, _name: str, _total: int | None, /) -> Advance:
        return lambda _count: None

    def done(self, name: str, seconds: float, /) -> None:
        if self._verbose:
            _say(f"extractor: {name} took {seconds:.2f} s")

    def warn(self, text: str, /) -> None:
        _warn(text)


@contextmanager
def _progress(quiet: bool, verbose: bool) -> Iterator[Watch]:
    """Give the watch that suits whoever reads standard error."""
    if quiet or not sys.stderr.isatty():
        yield _Lines(verbose and not quiet)
        return
    from extractor.progress import bars  # Rich takes 0.05 s to import, for people only.

    with bars(verbose) as watch:
        yield watch
