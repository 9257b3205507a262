"""Build, open and query database files."""
