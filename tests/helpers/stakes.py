"""Stakes of money by one rule."""

import bgrace


def by_rule(jacoby: bool) -> bgrace.Stakes:
    """Money, with the Jacoby rule or without."""
    return bgrace.Stakes.money(bgrace.Rules(jacoby=jacoby))
