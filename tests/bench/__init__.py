"""The benchmark of `make bench`: the extractor, its limits, ast-grep and a plain LibCST script."""
