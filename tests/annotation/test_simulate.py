"""`simulate`: virtual annotators work through the real API of a real server."""

import json
import random

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Rubric
from annotation.simulation import Annotator, Character, Refused, simulate
from tests import factories
from tests.crowd import stage
from tests.throwaway import WebServer, free_port


@pytest.fixture(scope="module")
def simulated(concord: WebServer) -> dict:
    stage(concord, "prepare", people=1, campaigns={"simulated": {"items": 12, "overlap": 3}})
    run = [
        "simulate",
        "--campaign",
        "simulated",
        "--annotators",
        "6",
        "--url",
        concord.url,
        "--seconds",
        "30",
        "--json",
    ]
    return json.loads(concord.manage(*run).stdout)


@pytest.mark.servers
def test_they_rate_until_nothing_is_left(simulated, concord):
    assert simulated["nothing_left"]
    assert simulated["ratings"] == 36
    assert (simulated["surplus"], simulated["refused"], simulated["places_left"]) == (0, {}, 0)
    found = stage(concord, "check", campaigns=["simulated"], nothing=[], twins=[])
    assert found["breaches"] == []
    assert len(found["ratings"]) == 36


@pytest.mark.servers
def test_run_again_it_says_that_nothing_is_left(simulated, concord):
    run = ["simulate", "--campaign", "simulated", "--annotators", "2", "--url", concord.url]
    said = concord.manage(*run).stdout
    assert "ratings: 0" in said
    assert "nothing left: True" in said


@pytest.mark.servers
def test_a_server_that_does_not_know_them_is_told(simulated, concord):
    with pytest.raises(Refused, match="token is not valid"):
        simulate(url=concord.url, campaign="simulated", tokens={"sim-01": "wrong"}, seconds=1, seed=0)


@pytest.mark.django_db
def test_no_server_is_told_with_what_to_do():
    campaign = factories.campaign()
    nobody = f"http://127.0.0.1:{free_port()}"
    with pytest.raises(CommandError, match="Start one with"):
        call_command("simulate", campaign=campaign.slug, annotators=2, url=nobody)
    assert not campaign.memberships.get(user__username="sim-01").user.api_tokens.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"annotators": 0}, "1 to 200"),
        ({"annotators": 201}, "1 to 200"),
        ({"campaign": "nowhere"}, "no campaign"),
        ({"url": "example.org"}, "address"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(options, word):
    campaign = factories.campaign(slug="c")
    with pytest.raises(CommandError, match=word) as error:
        call_command("simulate", **{"campaign": campaign.slug, "annotators": 1} | options)
    assert "\n" not in str(error.value)


@pytest.mark.django_db
def test_a_draft_is_told_how_to_be_opened():
    factories.campaign(slug="c", opened=False)
    with pytest.raises(CommandError, match=r"manage\.py campaign c open"):
        call_command("simulate", campaign="c", annotators=1)


def annotator(name="sim-01", seed=0):
    return Annotator(url="http://127.0.0.1:1", campaign="c", name=name, token="t", seed=seed)


@pytest.mark.django_db
def test_what_they_say_comes_of_the_seed_and_is_on_the_scale():
    rubric = Rubric.objects.get().content
    texts = [f"A response, number {i}." for i in range(200)]

    def said(*who):
        one = annotator(*who)
        return [one.judge(text, rubric)["scores"] for text in texts]

    assert said() == said()
    assert said() != said("sim-02")
    assert said() != said("sim-01", 1)
    assert {value for scores in said() for value in scores.values()} <= {1, 2, 3, 4, 5}


@pytest.mark.django_db
def test_they_see_the_same_text_and_differ_by_severity():
    rubric, texts = Rubric.objects.get().content, [f"A response, number {i}." for i in range(300)]
    mild, harsh = annotator("mild"), annotator("harsh")
    mild.character, harsh.character = Character(severity=-0.5, doubt=0.1), Character(severity=1.0, doubt=0.1)
    pairs = [(mild.judge(t, rubric)["scores"]["empathy"], harsh.judge(t, rubric)["scores"]["empathy"]) for t in texts]
    assert all(a >= b for a, b in pairs)
    assert sum(a > b for a, b in pairs) > 150
    assert Character.drawn(random.Random(1)) != Character.drawn(random.Random(2))
