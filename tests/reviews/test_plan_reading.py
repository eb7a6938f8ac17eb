"""What a plan may be asked for: read one way, refused with the option named, and read without what computes it."""

import subprocess
import sys
from pathlib import Path

import pytest

from reviews.errors import PlanInvalid
from reviews.plan_reading import PlanOptions, read_plan

STATED = {"distribution": {"1": 2, "5": 3}, "alpha": 0.6, "scenario_share": 0.3}


def test_what_is_left_out_is_as_the_command_has_it():
    read = read_plan(STATED, has_pilot=False)
    assert (read.scenarios, read.responses, read.raters) == ((60, 120, 300), (5,), (2, 3, 5))
    assert (read.range, read.audit, read.wage, read.expert_wage) == (2, 0.05, 12, 40)
    assert read.distribution == {1: 2, 5: 3}


def test_sizes_are_lists_or_texts_each_number_once():
    for given in ("120, 60,120", "120，60", [120, 60, 120]):
        assert read_plan(STATED | {"scenarios": given}, has_pilot=False).scenarios == (120, 60)
    assert read_plan(STATED | {"raters": 3}, has_pilot=False).raters == (3,)


def test_what_is_off_stays_off():
    read = read_plan(STATED | {"range": None, "cut": None, "width": None}, has_pilot=False)
    assert (read.range, read.cut, read.width) == (None, None, None)


def test_a_pilot_needs_nothing_stated():
    read = read_plan({}, has_pilot=True)
    assert (read.distribution, read.alpha, read.scenario_share) == (None, None, None)
    with pytest.raises(PlanInvalid) as refused:
        read_plan({}, has_pilot=False)
    assert set(refused.value.fields) == {"distribution", "alpha", "scenario_share"}


def test_options_come_back_as_a_job_keeps_them():
    read = read_plan(STATED | {"scenarios": "40", "width": 0.1, "scale": "1-5"}, has_pilot=False)
    assert PlanOptions.of(read.as_json()) == read


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("scenarios", ""),
        ("scenarios", "many"),
        ("scenarios", "60, 0"),
        ("scenarios", {"60": 1}),
        ("scenarios", [60.5]),
        ("scenarios", list(range(1, 100))),
        ("responses", "201"),
        ("raters", [31]),
        ("raters", True),
        ("distribution", {"1": 5}),
        ("distribution", {"1": 5, "2": -1}),
        ("distribution", {"low": 5, "high": 6}),
        ("distribution", {"1": 5, "1.0": 6}),
        ("distribution", {str(level): 1 for level in range(22)}),
        ("distribution", [1, 2]),
        ("alpha", 1),
        ("alpha", "nan"),
        ("alpha", -0.1),
        ("scenario_share", 1.2),
        ("width", 0),
        ("width", 1),
        ("range", 0),
        ("range", 1e400),
        ("cut", "low"),
        ("audit", 5),
        ("seconds", -1),
        ("case_minutes", "soon"),
        ("wage", -1),
        ("expert_wage", [40]),
        ("seed", -1),
        ("seed", 1.5),
        ("simulations", 19),
        ("simulations", 10_001),
        ("dimension", "safety"),
        ("scale", 5),
        ("mood", 1),
    ],
)
def test_faults_are_named(name, given):
    with pytest.raises(PlanInvalid) as refused:
        read_plan(STATED | {name: given}, has_pilot=False)
    assert list(refused.value.fields) == [name]


def test_it_is_read_without_numpy():
    code = "import sys, reviews.plan_reading; sys.exit('numpy' in sys.modules)"
    root = Path(__file__).parents[2]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0
