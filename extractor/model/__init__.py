"""The frozen types that the stages hand to one another. No behaviour beyond trivial derived values."""
