"""The wall between Python and C: each module declares, checks, releases the GIL, calls, and raises."""
