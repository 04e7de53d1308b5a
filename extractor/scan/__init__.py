"""One blob to its facts: pure, bytes in, facts out, no path and no logger."""
