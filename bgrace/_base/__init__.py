"""The base of the other modules: arrays, data frames, files, limits, interrupts, processes, languages, the version."""
