"""The base of everything: arrays and data frames, files, limits, interrupts, processes, languages, the version."""
