"""Reads a Python repository at one commit and publishes what each of its `raise` statements means.

The stages stand in the order of `pipeline.py`: source, scan, link, explain, dataset. They meet in the
frozen types of `model/` and never import one another.
"""

__version__ = "0.1.0"
