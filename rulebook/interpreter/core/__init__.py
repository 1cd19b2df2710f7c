"""The core: the machine a second time, in C, which runs the same programs as data."""
