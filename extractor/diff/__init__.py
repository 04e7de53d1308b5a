"""What changed between two datasets: which site became which, and what that means for users.

Values in, values out: two datasets' rows give one `Diff`, and a `Diff` gives text. Nothing here reads a folder, scans a
commit or prints.
"""
