"""Publish: web pages, JSON API and search from a dataset. Reads a dataset; knows nothing of the stages that made it."""

from extractor.publish.build import build
from extractor.publish.report import SiteReport, site_summary
from extractor.publish.settings import PublishError, SiteSettings

__all__ = ["PublishError", "SiteReport", "SiteSettings", "build", "site_summary"]
