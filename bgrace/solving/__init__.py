"""Answers about pairs and single positions, without a file."""
