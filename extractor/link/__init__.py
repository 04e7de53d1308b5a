"""All file facts to linked sites: what only the whole tree tells."""
