"""The version of this program, as it was installed.

In: the package's own metadata. Out: `__version__`. Never: anything else; most of the program does not need it.
"""

from importlib import metadata

try:
    __version__ = metadata.version("rulebook")
except metadata.PackageNotFoundError:  # run from a folder, never installed
    __version__ = "unknown"
