"""One linked site to its record: pattern, condition, prose, identity."""
