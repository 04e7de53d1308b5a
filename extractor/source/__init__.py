"""One commit as a tree of blobs: from git, or from a released wheel."""
