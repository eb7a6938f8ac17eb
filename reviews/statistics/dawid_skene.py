"""Which units bear a mark, and how well each rater sees it: Dawid and Skene's model with two classes.

Source: A. P. Dawid and A. M. Skene (1979), Maximum likelihood estimation of observer error-rates using the EM
algorithm, Applied Statistics 28(1), 20-28. A unit bears the mark or does not; a rater marks one that bears it with
probability `sensitivity`, and leaves one that does not unmarked with probability `specificity`; given the unit,
raters err independently of each other. Where they err together (a hard unit, a vague guideline) the model is too sure.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.special import expit, logit

from .patterns import alike
from .reasons import Reason

ROUNDS = 1000
SETTLED = 1e-10
FEWEST_RATINGS = 3  # a unit, on average: with two raters different error rates explain the same data
FEWEST_POSITIVES = 20


@dataclass(frozen=True)
class Fit:
    """A fitted model. rounds: of the EM algorithm; settled: whether the last one moved no posterior by over 1e-10.

    prevalence: share of units that bear the mark. sensitivity, specificity: (R,), within 0..1 and never at an end.
    posterior: (U,) probability that each unit bears the mark.
    """

    prevalence: float
    sensitivity: np.ndarray
    specificity: np.ndarray
    posterior: np.ndarray
    rounds: int
    settled: bool

    @property
    def turned_round(self) -> bool:
        """Whether raters, on the whole, mark units that bear the mark no more often than the others."""
        return bool(np.sum(self.sensitivity + self.specificity - 1) <= 0)


def dawid_skene(unit: np.ndarray, rater: np.ndarray, marked: np.ndarray, *, units: int, raters: int) -> Fit:
    """Fit by EM from the shares of votes, as Dawid and Skene start (their equation 3.1); the same data, the same fit.

    unit, rater, marked: (N,) unit 0..U-1, rater 0..R-1 and 0 or 1 of each rating, each (unit, rater) once, N > 0.
    Each unit must have a rating. To each of the four counts of a rater's confusion table 1 is added, so that a rater
    who saw no unit of a class is taken to guess there, and nobody is taken to be infallible.
    """
    of_unit, first = alike(unit, 2 * rater + marked, units)
    n = np.bincount(of_unit, minlength=len(first)).astype(float)
    # one column an answer (rater, 0 or 1); one row a pattern of answers, read off its first unit
    row_of = np.full(units, -1)
    row_of[first] = np.arange(len(first))
    used = row_of[unit] >= 0
    cells = (np.ones(int(used.sum())), (row_of[unit[used]], (2 * rater + marked)[used]))
    answers = sparse.csr_array(cells, shape=(len(first), 2 * raters), dtype=np.float64)
    by_answer = sparse.csr_array((answers * n[:, None]).T)
    given = by_answer @ np.ones(len(first))
    size = answers @ np.ones(2 * raters)
    posterior = (answers @ np.tile([0.0, 1.0], raters)) / size
    rounds, settled = 0, False
    while not settled and rounds < ROUNDS:
        rounds += 1
        prevalence, sensitivity, specificity = _rates(posterior, n, by_answer, given)
        # what each answer adds to the log odds that the unit bears the mark
        unmarked = np.log1p(-sensitivity) - np.log(specificity)
        speaks = np.column_stack([unmarked, np.log(sensitivity) - np.log1p(-specificity)])
        before, posterior = posterior, expit(logit(prevalence) + answers @ speaks.ravel())
        settled = bool(np.abs(posterior - before).max() <= SETTLED)
    prevalence, sensitivity, specificity = _rates(posterior, n, by_answer, given)
    return Fit(prevalence, sensitivity, specificity, posterior[of_unit], rounds, settled)


def why_not_fitted(size: np.ndarray, votes: np.ndarray, *, known: bool) -> Reason | None:
    """Why the model is not fitted; None where it may be.

    size, votes: (U,) ratings and marks of each unit. known: whether it is known who rated.
    Positives are units that more than half of their raters marked: a single vote among three is more often a slip
    than a violation, and sensitivity rests on units that truly bear the mark. Specificity asks the same of the rest.
    """
    if not len(size):
        return Reason.NO_RATINGS
    if not known:
        return Reason.NO_RATER_IDS
    if size.mean() < FEWEST_RATINGS:
        return Reason.FEW_RATERS
    if (2 * votes > size).sum() < FEWEST_POSITIVES:
        return Reason.FEW_POSITIVES
    if (2 * votes < size).sum() < FEWEST_POSITIVES:
        return Reason.FEW_NEGATIVES
    return None


def _rates(
    posterior: np.ndarray, n: np.ndarray, by_answer: sparse.csr_array, given: np.ndarray
) -> tuple[float, np.ndarray, np.ndarray]:
    """Prevalence, sensitivities and specificities from the posteriors of the patterns (the M step)."""
    bearing = (by_answer @ posterior).reshape(-1, 2)
    free = np.maximum(given.reshape(-1, 2) - bearing, 0)  # 0 but for rounding, where every unit bears the mark
    sensitivity = (bearing[:, 1] + 1) / (bearing.sum(axis=1) + 2)
    specificity = (free[:, 0] + 1) / (free.sum(axis=1) + 2)
    return min(float(n @ posterior) / float(n.sum()), 1.0), sensitivity, specificity
