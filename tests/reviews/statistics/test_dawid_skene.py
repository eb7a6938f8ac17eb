"""Dawid and Skene's model with two classes: the fast fit against the paper's loops, and errors that are known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviews.statistics.dawid_skene import ROUNDS, Fit, dawid_skene, why_not_fitted
from reviews.statistics.reasons import Reason

few = settings(max_examples=40, deadline=None)
Votes = list[tuple[int, int, int]]  # unit, rater, 0 or 1


@st.composite
def votes(draw: st.DrawFn) -> Votes:
    """Some raters of each of a few units, in any order; every unit has a rating."""
    raters = draw(st.integers(1, 5))
    some = st.sets(st.integers(0, raters - 1), min_size=1)
    found = [
        (unit, rater, draw(st.integers(0, 1)))
        for unit, who in enumerate(draw(st.lists(some, min_size=1, max_size=12)))
        for rater in sorted(who)
    ]
    return draw(st.permutations(found))


def fit_of(votes: Votes) -> Fit:
    unit, rater, marked = np.array(votes).T
    return dawid_skene(unit, rater, marked, units=unit.max() + 1, raters=rater.max() + 1)


def by_loops(votes: Votes, rounds: int) -> tuple[float, list[float], list[float], list[float]]:
    """The EM algorithm of the paper, written out unit by unit and rater by rater, with products of probabilities."""
    units, raters = max(vote[0] for vote in votes) + 1, max(vote[1] for vote in votes) + 1
    mine = [[(j, x) for u, j, x in votes if u == unit] for unit in range(units)]
    posterior = [sum(x for _, x in answers) / len(answers) for answers in mine]

    def rates() -> tuple[float, list[float], list[float]]:
        sensitivity, specificity = [], []
        for rater in range(raters):
            table = {(true, said): 1.0 for true in (0, 1) for said in (0, 1)}
            for u, j, x in votes:
                if j == rater:
                    table[1, x] += posterior[u]
                    table[0, x] += 1 - posterior[u]
            sensitivity.append(table[1, 1] / (table[1, 0] + table[1, 1]))
            specificity.append(table[0, 0] / (table[0, 0] + table[0, 1]))
        return sum(posterior) / units, sensitivity, specificity

    for _ in range(rounds):
        prevalence, sensitivity, specificity = rates()
        for u, answers in enumerate(mine):
            bearing, free = prevalence, 1 - prevalence
            for j, x in answers:
                bearing *= sensitivity[j] if x else 1 - sensitivity[j]
                free *= 1 - specificity[j] if x else specificity[j]
            posterior[u] = bearing / (bearing + free)
    return *rates(), posterior


def simulated(
    units: int, *, prevalence: float, sensitivity: Any, specificity: Any, each: int, seed: int
) -> tuple[Votes, np.ndarray]:
    rng = np.random.default_rng(seed)
    bears = rng.random(units) < prevalence
    found = []
    for unit in range(units):
        for rater in rng.permutation(len(sensitivity))[:each].tolist():
            chance = sensitivity[rater] if bears[unit] else 1 - specificity[rater]
            found.append((unit, rater, int(rng.random() < chance)))
    return found, bears


@few
@given(votes())
def test_it_is_the_algorithm_of_the_paper(votes: Votes) -> None:
    fit = fit_of(votes)
    prevalence, sensitivity, specificity, posterior = by_loops(votes, fit.rounds)
    assert fit.prevalence == pytest.approx(prevalence, abs=1e-9)
    assert fit.sensitivity == pytest.approx(sensitivity, abs=1e-9)
    assert fit.specificity == pytest.approx(specificity, abs=1e-9)
    assert fit.posterior == pytest.approx(posterior, abs=1e-9)


@few
@given(votes(), st.randoms(use_true_random=False))
def test_the_same_votes_in_another_order_are_the_same_fit_to_the_last_digit(votes: Votes, random: Any) -> None:
    other = list(votes)
    random.shuffle(other)
    one, two = fit_of(votes), fit_of(other)
    assert (one.prevalence, one.rounds) == (two.prevalence, two.rounds)
    assert np.array_equal(one.posterior, two.posterior)
    assert np.array_equal(one.sensitivity, two.sensitivity)


@few
@given(votes())
def test_all_that_it_finds_are_probabilities(votes: Votes) -> None:
    fit = fit_of(votes)
    for rate in (fit.sensitivity, fit.specificity):
        assert ((rate > 0) & (rate < 1)).all()
    assert ((fit.posterior >= 0) & (fit.posterior <= 1)).all()
    assert fit.prevalence == pytest.approx(fit.posterior.mean(), abs=1e-12)
    assert fit.settled == (fit.rounds < ROUNDS) or fit.rounds == ROUNDS


def test_once_settled_it_stays_where_it_is() -> None:
    votes, _ = simulated(150, prevalence=0.3, sensitivity=[0.8] * 4, specificity=[0.9] * 4, each=3, seed=5)
    fit = fit_of(votes)
    assert fit.settled
    assert fit.posterior == pytest.approx(by_loops(votes, fit.rounds + 200)[3], abs=1e-8)


def test_it_finds_the_error_rates_that_the_votes_were_made_with() -> None:
    sensitivity, specificity = [0.95, 0.8, 0.6, 0.85, 0.7], [0.99, 0.97, 0.9, 0.8, 0.95]
    votes, bears = simulated(6000, prevalence=0.2, sensitivity=sensitivity, specificity=specificity, each=4, seed=3)
    fit = fit_of(votes)
    # four standard errors: about 960 units that bear the mark, and 3,840 that do not, a rater
    assert fit.prevalence == pytest.approx(bears.mean(), abs=0.02)
    assert fit.sensitivity == pytest.approx(sensitivity, abs=0.065)
    assert fit.specificity == pytest.approx(specificity, abs=0.03)
    assert not fit.turned_round


def test_a_posterior_of_so_much_is_right_so_often() -> None:
    votes, bears = simulated(
        6000, prevalence=0.3, sensitivity=[0.7, 0.75, 0.8], specificity=[0.8, 0.85, 0.9], each=3, seed=7
    )
    posterior = fit_of(votes).posterior
    for low, high in ((0.0, 0.1), (0.1, 0.5), (0.5, 0.9), (0.9, 1.01)):
        here = (posterior >= low) & (posterior < high)
        if here.sum() > 200:
            assert posterior[here].mean() == pytest.approx(bears[here].mean(), abs=0.06)


def test_one_careful_rater_may_outweigh_two_careless_ones() -> None:
    """The reason to have the model: a majority of the careless is overruled where the careful one is known."""
    votes, bears = simulated(
        3000,
        prevalence=0.3,
        sensitivity=[0.97, 0.97, 0.6, 0.6, 0.6],
        specificity=[0.98, 0.98, 0.7, 0.7, 0.7],
        each=5,
        seed=11,
    )
    fit, shares = fit_of(votes), np.zeros(3000)
    np.add.at(shares, [vote[0] for vote in votes], [vote[2] / 5 for vote in votes])
    wrong = ((fit.posterior >= 0.5) != bears).mean()
    assert wrong < ((shares > 0.5) != bears).mean() / 2


def test_a_rater_who_saw_no_unit_of_a_class_is_taken_to_guess_there() -> None:
    fit = fit_of([(unit, rater, 0) for unit in range(30) for rater in range(3)])
    assert fit.prevalence == 0
    assert fit.sensitivity.tolist() == [0.5, 0.5, 0.5]
    assert fit.specificity == pytest.approx([31 / 32] * 3)
    every = fit_of([(unit, rater, 1) for unit in range(30) for rater in range(3)])
    assert every.prevalence == 1
    assert every.specificity.tolist() == [0.5, 0.5, 0.5]


def test_it_is_turned_round_where_marks_speak_against_the_class() -> None:
    half = np.array([0.4, 0.5])
    assert Fit(0.5, half, half, np.zeros(1), 1, True).turned_round
    assert not Fit(0.5, half, half + 0.2, np.zeros(1), 1, True).turned_round


def test_it_says_when_it_had_not_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    votes, _ = simulated(150, prevalence=0.3, sensitivity=[0.8] * 4, specificity=[0.9] * 4, each=3, seed=5)
    monkeypatch.setattr("reviews.statistics.dawid_skene.ROUNDS", 2)
    fit = fit_of(votes)
    assert (fit.rounds, fit.settled) == (2, False)


@pytest.mark.parametrize(
    ("size", "votes", "known", "reason"),
    [
        ([], [], True, Reason.NO_RATINGS),
        ([3] * 60, [3] * 20 + [0] * 40, False, Reason.NO_RATER_IDS),
        ([3] * 59 + [2], [3] * 20 + [0] * 40, True, Reason.FEW_RATERS),
        ([3] * 60, [3] * 19 + [1] * 41, True, Reason.FEW_POSITIVES),
        ([4] * 60, [4] * 19 + [2] * 41, True, Reason.FEW_POSITIVES),
        ([3] * 60, [0] * 19 + [2] * 41, True, Reason.FEW_NEGATIVES),
        ([3] * 60, [2] * 20 + [1] * 40, True, None),
        ([2] * 10 + [4] * 50, [2] * 20 + [1] * 40, True, Reason.FEW_POSITIVES),
    ],
)
def test_it_is_fitted_only_where_there_is_enough(
    size: list[int], votes: list[int], known: bool, reason: Reason | None
) -> None:
    assert why_not_fitted(np.array(size), np.array(votes), known=known) == reason
