"""Recognise a pasted error: text in, records of a dataset out. Imports no parser and no command-line library.

The way of a paste: `lines` takes off what terminals and loggers put around it, `events` finds the exceptions in it,
`frames` reads their tracebacks, `candidates` looks up the records that share words, `align` lays a template on the
text, `values` cuts the runtime values out, `judge` says how sure that is, `matcher` holds the order.
"""
