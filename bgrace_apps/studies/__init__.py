"""Papers done again, and rules judged by exact equities.  Studies may use everything; nothing uses them."""
