"""What a plan may be asked for, without what computes it: pages read their forms by it and never import numpy."""

FEWEST_SIMULATIONS, MOST_SIMULATIONS = 20, 10_000
MOST_DESIGNS = 200
MOST_SCENARIOS, MOST_RESPONSES, MOST_RATERS = 1_000_000, 200, 30
MOST_LEVELS = 21  # of those in use: the sums of alpha grow with their square
