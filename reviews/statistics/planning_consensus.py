"""What k raters an item come to under the model of a plan: the error of their median, and how many items they send.

Nothing is simulated here: given an item's true value its ratings are independent, so that order statistics have
closed forms, and the true value is integrated out.

The item's true consensus is the median that very many raters would give it: since their noise is symmetric, that is
the level in which its true value lies.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import betainc, ndtr

from .planning_model import Model

FARTHEST = 8.5  # standard deviations
NEAR = 1e-9
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(64)


@dataclass(frozen=True)
class ConsensusError:
    """How far the median of k ratings lies from that of very many, in points of the scale.

    error: mean absolute difference. off_by_one: share of the items where it is a whole point or more.
    """

    error: float
    off_by_one: float


@dataclass(frozen=True)
class _Items:
    """Items of every true value.

    weight: (Q,) sums to 1. truth: (Q,) true consensus. below: (Q, K) chance of a score at a level or below.
    """

    weight: np.ndarray
    truth: np.ndarray
    below: np.ndarray


def consensus_error(model: Model, raters: int) -> ConsensusError:
    """The error of consensus of so many raters (1 or more)."""
    items = _items(model)
    medians, chances = _medians(model.levels, items.below, raters)
    apart = np.abs(medians[None, :] - items.truth[:, None])
    return ConsensusError(
        error=float(items.weight @ (chances * apart).sum(axis=1)),
        off_by_one=float(items.weight @ (chances * (apart >= 1 - NEAR)).sum(axis=1)),
    )


def disputed_share(model: Model, raters: int, *, spread: float | None, cut: float | None) -> float:
    """Share of the items on which the highest and the lowest score are `spread` apart or more, or any is at most `cut`.

    None leaves a part of the rule out.
    """
    items, levels = _items(model), model.levels
    below = np.column_stack([np.zeros(len(items.below)), items.below])
    agreed = np.zeros(len(items.below))
    for lowest, level in enumerate(levels):
        if cut is not None and level <= cut + NEAR:
            continue
        end = len(levels) if spread is None else int(np.searchsorted(levels, level + spread - NEAR))
        # all from this level up to before the end, but not all above it; a spread below one step leaves no room
        for start, sign in ((lowest, 1), (lowest + 1, -1)):
            if end > start:
                agreed += sign * (below[:, end] - below[:, start]) ** raters
    return float(np.clip(1 - items.weight @ agreed, 0, 1))


def _items(model: Model) -> _Items:
    """Gauss and Legendre's nodes within each true level, where what is integrated has no jump."""
    item = max(model.item, 1e-12)
    # beyond the farthest value a level has no items: its piece is empty
    ends = np.clip(model.cuts / math.sqrt(item), -FARTHEST, FARTHEST)
    low, high = np.append(-FARTHEST, ends), np.append(ends, FARTHEST)
    half = (high - low) / 2
    value = (low + half)[:, None] + half[:, None] * _NODES
    weight = (half[:, None] * _WEIGHTS * np.exp(-(value**2) / 2)).ravel()
    latent = math.sqrt(item) * value.ravel()
    below = ndtr((model.cuts - latent[:, None]) / math.sqrt(1 - item))
    return _Items(
        weight=weight / weight.sum(),
        truth=np.repeat(model.levels, len(_NODES)),
        below=np.column_stack([below, np.ones(len(latent))]),
    )


def _medians(levels: np.ndarray, below: np.ndarray, raters: int) -> tuple[np.ndarray, np.ndarray]:
    """The medians that can come out (M,), and their chances (Q, M) given the chances of the scores."""
    rank = (raters + 1) // 2
    lower = np.diff(betainc(rank, raters - rank + 1, below), axis=1, prepend=0.0)
    if raters % 2:
        return levels, lower
    # of an even number the two in the middle, at levels a < b: r scores at most a, one of them a; r at least b, one b
    first = np.diff(below**rank, axis=1, prepend=0.0)
    above = np.column_stack([np.ones(len(below)), 1 - below])
    second = -np.diff(above**rank, axis=1)
    both = math.comb(raters, rank) * first[:, :, None] * second[:, None, :]
    both = np.triu(both, 1)
    at = np.arange(len(levels))
    both[:, at, at] = lower - both.sum(axis=2)
    middle = (levels[:, None] + levels[None, :]) / 2
    return middle.ravel(), both.reshape(len(below), -1)
