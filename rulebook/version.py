"""The version of this program, which the package is built with, too: to ask who is installed takes longer."""

__version__ = "0.1.0"

DISTRIBUTION = "tabletop-rulebook"
"""The name that pip installs it by, as in `pyproject.toml`."""
