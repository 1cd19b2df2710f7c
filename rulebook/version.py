"""The version of this program.

In: nothing. Out: `__version__`, which the package is built with, too. Never: anything else; who is installed need not
be asked, which takes longer than all other questions of a start.
"""

__version__ = "0.1.0"
