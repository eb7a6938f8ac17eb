"""The model of raters behind violation marks: whose posterior it is, and what stands where it cannot be fitted."""

from __future__ import annotations

import json

import numpy as np
import pytest

from reviews.statistics.marks import effective_size
from reviews.statistics.wilson import wilson
from tests.reviews.statistics.marks_made import frame_of, report, table, units_of


def test_the_report_is_plain_json() -> None:
    frame = frame_of(units_of(40, prevalence=0.4), per_cluster=4)
    told = json.dumps(report(frame, bootstrap=200).to_json(), allow_nan=False)
    assert "posterior" not in told
    fit = report(frame).types["a"].latent.fit
    assert fit is not None
    assert np.isfinite(fit.posterior).all()


def test_the_posterior_names_its_units() -> None:
    units = [[1, 1, 1]] * 25 + [[0, 0, 0]] * 60
    frame = frame_of(units).sample(frac=1, random_state=2)
    found = report(frame).types["a"]
    assert found.latent.fit is not None
    borne = dict(zip(found.items, found.latent.fit.posterior, strict=True))
    assert sorted(item for item, share in borne.items() if share >= 0.5) == [f"i{at:05}" for at in range(25)]
    assert (found.latent.units_marked, found.latent.against_majority) == (25, 0)
    assert found.latent.raters == (("r0", 85), ("r1", 85), ("r2", 85))


def test_units_where_the_model_overrules_the_majority_are_counted() -> None:
    rng = np.random.default_rng(1)
    bears = rng.random(600) < 0.4
    noise = rng.random((600, 5)) < np.array([0.01, 0.01, 0.4, 0.4, 0.4])
    units = (bears[:, None] ^ noise).astype(int)
    latent = report(frame_of(units.tolist())).types["a"].latent
    assert latent.fit is not None
    expected = ((latent.fit.posterior >= 0.5) != (units.sum(axis=1) > 2)).sum()
    assert latent.against_majority == expected > 0


def test_without_enough_for_the_model_there_are_votes_and_wilsons_interval() -> None:
    found = table(frame_of([(1, 1, 0)] * 19 + [(0, 0, 0)] * 81))
    assert found["dawid_skene"] == {
        "prevalence": None,
        "units_marked": None,
        "against_majority": None,
        "rounds": None,
        "settled": None,
        "raters": [],
        "reason": "too few units that a majority marked: 20 are needed",
    }
    assert (found["majority"]["hits"], found["majority"]["how"]) == (19, "Wilson")
    low, high = wilson(0.19, effective_size(np.repeat([1, 0], [19, 81]), np.ones(100), np.arange(100)))
    assert (found["majority"]["ci_low"], found["majority"]["ci_high"]) == pytest.approx((low, high), abs=1e-11)


def test_anonymous_marks_have_agreement_but_no_model_of_raters() -> None:
    units = units_of(40, prevalence=0.4)
    named, anonymous = table(frame_of(units)), table(frame_of(units, names=False))
    assert (anonymous["raters"], anonymous["reasons"]["raters"]) == (None, "no rater ids")
    assert anonymous["dawid_skene"]["reason"] == "no rater ids"
    for name in ("prevalence", "positive_agreement", "negative_agreement", "alpha", "votes", "majority"):
        assert anonymous[name] == named[name]
