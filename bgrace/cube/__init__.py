"""The doubling cube: the arithmetic of a decision, and the models that give equities to decide on."""

from bgrace.cube import action as action
