"""`python -m rulebook`: the same as the command `rulebook`."""

import sys

from rulebook.cli import main

if __name__ == "__main__":
    sys.exit(main())
