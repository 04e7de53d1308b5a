"""`extractor site`: web pages, a JSON API and search from a dataset."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from extractor.cli import terminal
from extractor.cli.options import Jobs, Quiet
from extractor.cli.settings import default_dataset

if TYPE_CHECKING:
    from extractor.publish import SiteSettings


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
    jobs: Jobs = None,
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
        dataset=folder if folder is not None else default_dataset(),
        output=output if output is not None else Path(DEFAULT_OUTPUT),
        base_url=check_url(base_url),
        previous=previous,
        report_url=check_report(report_url),
        jobs=check_jobs(jobs),
    )
    report = build(settings, lambda old, new: difference(str(old), str(new), None, Silent()))
    if not quiet:
        terminal.put(*site_summary(settings, report))
    if serve:
        _serve(settings, port, quiet)


def _serve(settings: SiteSettings, port: int | None, quiet: bool) -> None:
    """Serve the site until somebody stops it."""
    from extractor.publish.serve import server
    from extractor.publish.settings import DEFAULT_PORT

    chosen = DEFAULT_PORT if port is None else port
    with server(settings.output, settings.base_path, chosen, terminal.say) as running:
        terminal.put(f"http://127.0.0.1:{running.server_port}{settings.base_path}")
        terminal.flush()
        if not quiet:
            terminal.say("extractor: serving until Ctrl-C")
        running.serve_forever()
