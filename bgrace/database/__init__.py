"""Database files: built, opened, asked."""
