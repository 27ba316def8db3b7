"""Of this package; a test holds it equal to pyproject.toml."""

VERSION = "0.2.0"
