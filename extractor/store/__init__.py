"""What stands on disk between runs, and how files are put there."""
