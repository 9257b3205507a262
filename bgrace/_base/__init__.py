"""What everything stands on: arrays, memory, files that are whole or absent, progress."""
