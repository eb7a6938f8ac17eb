"""`manage.py plan`: no database, a table and a sentence, one clear line for what cannot be planned."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command

STATED = {"distribution": "1:2,2:5,3:13,4:45,5:35", "alpha": 0.6, "scenario_share": 0.3, "scale": "1-5"}
SMALL = {"scenarios": "20,40", "responses": "2", "raters": "2,3", "simulations": 20}


def planned(capsys: Any, **options: Any) -> dict[str, Any]:
    call_command("plan", json=True, **(SMALL | options))
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def pilot(folder: Path, *dimensions: str) -> str:
    rng = np.random.default_rng(1)
    lines = ["item_id,rater_id,dimension,value,cluster_id"]
    for scenario in range(40):
        for response in range(2):
            for name in dimensions:
                true = rng.normal(3.5, 1)
                scores = np.clip(np.round(true + rng.normal(0, 0.7, 2)), 1, 5).astype(int)
                lines += [f"{scenario}/{response},r{j},{name},{score},{scenario}" for j, score in enumerate(scores)]
    path = folder / "pilot.csv"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_json_holds_assumptions_designs_and_the_recommended(capsys):
    found = planned(capsys, **STATED, width=0.15)
    assert list(found) == ["assumptions", "designs", "recommended", "nearest", "why"]
    assert found["nearest"] is None
    assert [(d["scenarios"], d["raters"]) for d in found["designs"]] == [(20, 2), (20, 3), (40, 2), (40, 3)]
    assert found["designs"][0]["half_width"] is None
    assert found["designs"][0]["reason"] == "too few clusters for an interval: 30 are needed"
    assert found["recommended"] in (2, 3)
    assert found["assumptions"]["dimensions"]["value"]["alpha"] == 0.6
    assert found["assumptions"]["costs"] == {"seconds": 60, "case_minutes": 4, "wage": 12, "expert_wage": 40}


def test_the_same_plan_gives_the_same_bytes(capsys):
    printed = []
    for _ in range(2):
        call_command("plan", json=True, **STATED, **SMALL)
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]


def test_for_a_person_it_is_a_table_with_the_recommended_marked_and_a_sentence(capsys):
    call_command("plan", **STATED, **SMALL, width=0.15)
    lines = capsys.readouterr().out.splitlines()
    table = [line for line in lines if line.startswith(("* ", "  ")) and "%" in line and ":" not in line]
    assert len(table) == 4
    assert [line.startswith("*") for line in table].count(True) == 1
    assert lines[-1].startswith("The cheapest design with alpha to ± 0.15 or better is 40 scenarios")
    assert "No interval: too few clusters for an interval: 30 are needed." in lines


def test_without_a_width_none_is_recommended(capsys):
    found = planned(capsys, **STATED)
    assert found["recommended"] is None
    assert "No width" in found["why"]


def test_a_pilot_takes_the_place_of_assumptions_and_the_cut_is_of_safety(tmp_path, capsys):
    found = planned(capsys, pilot=pilot(tmp_path, "empathy", "safety"), scale="1-5", cut=2)
    assert list(found["assumptions"]["dimensions"]) == ["empathy", "safety"]
    assert found["assumptions"]["rule"]["cuts"] == {"safety": 2}
    assert "empathy: from 160 ratings of 80 items in 40 scenarios" in found["assumptions"]["said"]
    one = planned(capsys, pilot=pilot(tmp_path, "empathy", "safety"), scale="1-5", dimension="empathy", alpha=0.5)
    assert list(one["assumptions"]["dimensions"]) == ["empathy"]
    assert one["assumptions"]["dimensions"]["empathy"]["alpha"] == 0.5


def test_several_dimensions_have_a_table_each(tmp_path, capsys):
    call_command("plan", pilot=pilot(tmp_path, "empathy", "safety"), scale="1-5", **SMALL)
    lines = capsys.readouterr().out.splitlines()
    assert {"empathy", "safety"} <= set(lines)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"alpha": 1.2}, "--alpha: Must be from 0 to below 1."),
        ({"alpha": None}, "--alpha"),
        ({"distribution": ""}, "two levels"),
        ({"distribution": "1:2,7:3"}, "--distribution: Level 7 is not on the scale 1-5."),
        ({"distribution": "1;2"}, "--distribution: '1;2' is not LEVEL:WEIGHT."),
        ({"scale": "5-1"}, "--scale: The scale 5-1 cannot be read"),
        ({"raters": "0"}, "--raters: 0 is not from 1 to 30."),
        ({"raters": "two"}, "--raters"),
        ({"scenarios": ""}, "--scenarios: Must be whole numbers"),
        ({"width": 0.0}, "width"),
        ({"seed": -1}, "--seed"),
        ({"simulations": 1}, "simulations"),
        ({"wage": -1.0}, "wage"),
        ({"range": 0.0}, "range"),
        ({"dimension": "x"}, "--dimension"),
        ({"pilot": "nowhere.csv"}, "nowhere.csv: No such file"),
    ],
)
def test_what_cannot_be_planned_is_refused_in_one_line(options, told):
    with pytest.raises(CommandError) as refused:
        call_command("plan", **(STATED | SMALL | options))
    assert refused.value.returncode == 1
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_pilot_that_cannot_be_used_is_refused(tmp_path):
    path = pilot(tmp_path, "empathy", "fluency")
    for options, told in (
        ({"cut": 2.0}, "safety"),
        ({"dimension": "safety"}, "The pilot has empathy, fluency, not safety"),
        ({"scale": "1-3"}, "line "),
    ):
        with pytest.raises(CommandError, match=told):
            call_command("plan", pilot=path, **({"scale": "1-5"} | SMALL | options))
