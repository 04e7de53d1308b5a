"""Records to files and back: `write`, `read`, `check`, and `render` for a person."""
