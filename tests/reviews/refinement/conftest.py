from functools import partial

import pytest

from scenarios.models import Scenario
from tests import factories
from tests.reviews.refining import campaign_of_two, rule_so


@pytest.fixture
def campaign():
    return campaign_of_two()


@pytest.fixture
def scenario(campaign):
    return Scenario.objects.filter(dataset=campaign.dataset).first()


@pytest.fixture
def expert(campaign):
    return factories.member(campaign, "expert")


@pytest.fixture
def rule(campaign, scenario, expert):
    return partial(rule_so, campaign, scenario, expert)
