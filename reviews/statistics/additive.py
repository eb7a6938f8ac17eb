"""The additive model of ratings, y_ij = mu_i - s_j + e: what units deserve, and how severe raters are."""

import math
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from .patterns import DimensionRatings

MOST_RATERS = 2000  # severity inverts a raters x raters matrix


@dataclass(frozen=True)
class Additive:
    """The least-squares fit of the ratings of units with two or more; N of them, by R raters.

    unit, rater: (N,) of each rating. size: (N,) ratings its unit has. residual: (N,) in levels.
    severity: (R,) s, in levels, centred on 0 in each block. spread: (R,) L+_jj, the variance of s_j in units of
    that of a rating. block: (R,) raters of two blocks share no unit. alone: (R,) whether a rater shares none at all.
    together: blocks of two raters or more. freedom: degrees of freedom that residuals have left.
    solved: False where there are too many raters; severity, spread and residual are then 0.
    """

    unit: np.ndarray
    rater: np.ndarray
    size: np.ndarray
    residual: np.ndarray
    severity: np.ndarray
    spread: np.ndarray
    block: np.ndarray
    alone: np.ndarray
    together: int
    freedom: int
    solved: bool = True

    @property
    def sigma(self) -> float | None:
        """Standard deviation of a rating about the model, in levels; None without degrees of freedom."""
        if self.freedom <= 0:
            return None
        return math.sqrt(max(float(self.residual @ self.residual), 0.0) / self.freedom)


def additive_model(ratings: DimensionRatings) -> Additive:
    """Fit y_ij = mu_i - s_j + e by least squares, in each block of raters by itself.

    Solved as L s = -b with the Laplacian L = D_r - N' D_i^-1 N of the design, and L+ = (L + 11'/R)^-1 - 11'/R.
    """
    raters = len(ratings.rater_names)
    assert ratings.rater is not None
    y = ratings.numbers[ratings.code]
    size = np.bincount(ratings.unit, minlength=ratings.units)
    paired = size[ratings.unit] >= 2
    unit, rater, y = ratings.unit[paired], ratings.rater[paired], y[paired]
    inverse = 1 / np.maximum(size, 1)
    design = sparse.csr_array((np.ones(len(unit)), (unit, rater)), shape=(ratings.units, raters))
    shared = design.T @ (design * inverse[:, None])
    blocks, block = _blocks(sparse.coo_array(shared))
    alone = np.bincount(block, minlength=blocks)[block] == 1
    together = len(np.unique(block[~alone]))
    freedom = len(y) - int((size >= 2).sum()) - (raters - int(alone.sum())) + together
    s, spread = np.zeros(raters), np.zeros(raters)
    if raters > MOST_RATERS:
        nothing = np.zeros(len(y))
        return Additive(unit, rater, size[unit], nothing, s, spread, block, alone, blocks, freedom, solved=False)
    laplacian = np.diag(np.bincount(rater, minlength=raters).astype(float)) - shared.toarray()
    unit_mean = np.bincount(unit, weights=y, minlength=ratings.units) * inverse
    b = np.bincount(rater, weights=y - unit_mean[unit], minlength=raters)
    for at in range(blocks):
        here = np.flatnonzero(block == at)
        if len(here) > 1:
            ones = np.full((len(here), len(here)), 1 / len(here))
            plus = np.linalg.inv(laplacian[np.ix_(here, here)] + ones) - ones
            s[here], spread[here] = -plus @ b[here], np.maximum(np.diag(plus), 0)
    adjusted = y + s[rater]
    residual = adjusted - (np.bincount(unit, weights=adjusted, minlength=ratings.units) * inverse)[unit]
    return Additive(unit, rater, size[unit], residual, s, spread, block, alone, together, freedom)


def _blocks(shared: sparse.coo_array) -> tuple[int, np.ndarray]:
    """How many groups raters form by the units they share, and the group of each rater."""
    one, other = shared.coords
    label = np.arange(shared.shape[0])
    while True:
        before = label.copy()
        np.minimum.at(label, one, before[other])
        label = label[label]
        if np.array_equal(label, before):
            names, block = np.unique(label, return_inverse=True)
            return len(names), block
