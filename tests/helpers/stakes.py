"""Money stakes with or without the Jacoby rule."""

import bgrace


def by_rule(jacoby: bool) -> bgrace.Stakes:
    """Return money stakes with or without the Jacoby rule."""
    return bgrace.Stakes.money(bgrace.Rules(jacoby=jacoby))
