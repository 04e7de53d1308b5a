"""The benchmark of `make bench`: the extractor against its limits, against ast-grep and against a plain LibCST script."""
