"""Who asks for a comparison, who reads it, and where: managers, and experts of a closed campaign under codes."""

import re

import pytest

from annotation.models import Campaign, Membership
from annotation.services.campaigns import close_campaign
from jobs.models import Job
from reviews import tasks  # noqa: F401  (registers the handlers, as the worker does)
from tests import factories
from tests.reviews.comparison.comparing import API, api_of, client_of, codes, compared, text
from tests.reviews.pages import page, post

pytestmark = pytest.mark.django_db
Role = Membership.Role


@pytest.mark.parametrize("role", [Role.ANNOTATOR, Role.EXPERT, None])
def test_nobody_else_sees_or_starts_while_it_is_open(campaign, role):
    user = factories.member(campaign, role) if role else factories.site_manager()
    client, api = client_of(user), api_of(user)
    assert page(client, "compare_agreement", "study").status_code == 403
    assert post(client, "compare_agreement", "study", by="periods", since="2026-05-10").status_code == 403
    assert api.get(API).status_code == 403
    assert api.post(API, {"by": "periods", "since": "2026-05-10"}, format="json").status_code == 403
    assert not Job.objects.exists()


def test_an_expert_of_a_closed_campaign_reads_codes_and_starts_nothing(campaign, boss, manager):
    own = codes(campaign)
    expert = client_of(factories.member(campaign, Role.EXPERT))
    compared(manager, by="raters", a=[own["ann"]], b=[own["cyd"]])
    close_campaign(campaign=Campaign.objects.get(slug="study"), by=boss)
    shown = text(page(expert, "compare_agreement", "study"))
    assert f"First group: {own['ann']}" in shown
    assert "Two periods" not in shown
    assert not re.search(r"\b(ann|cyd)\b", shown)
    assert post(expert, "compare_agreement", "study", by="periods", since="2026-05-10").status_code == 403


def test_an_earlier_comparison_is_reached_by_its_number(manager):
    first = compared(manager, by="periods", since="2026-05-10")
    compared(manager, by="periods", since="2026-05-10", zone="Asia/Shanghai")
    assert f"?comparison={first.pk}" in page(manager, "compare_agreement", "study").content.decode()
    assert page(manager, "compare_agreement", "study", comparison=first.pk).context["made"] == first
    assert page(manager, "compare_agreement", "study", comparison="nothing").status_code == 404


def test_of_another_campaign_nothing_is_shown(manager, campaign):
    job = compared(manager, by="periods", since="2026-05-10")
    other = factories.campaign(slug="other", items=1)
    there = client_of(factories.member(other, Role.MANAGER))
    assert page(there, "compare_agreement", "other", comparison=job.pk).status_code == 404
