"""Solvers of arrays in memory: one side, two sides, gammons, exact pairs.  No files."""
