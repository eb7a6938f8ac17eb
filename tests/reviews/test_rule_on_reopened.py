"""A reopened case under a changed rule: what it tells of the error of consensus stays what it was."""

import pytest

from reviews.models import Case
from reviews.quality import consensus_errors_of
from reviews.services.cases import reopen_case
from tests import factories
from tests.reviews.judging import judge
from tests.reviews.test_change_rule import EMPTY, campaign_with, changed

pytestmark = pytest.mark.django_db
ALL = {"empathy": 4, "fluency": 4, "safety": 4}


class TestAReopenedCase:
    """Whether a decision was measured against the consensus is settled by the draw that led to it."""

    def decided(self, scores, rule):
        campaign = campaign_with(scores, rule=EMPTY | rule)
        case, expert = Case.objects.get(), factories.member(campaign, "expert")
        judge(case, expert, values=ALL)
        reopen_case(case_id=case.pk, by=expert, reason="Once more.")
        return campaign, case, expert

    def audited(self, campaign):
        return consensus_errors_of(campaign)[0].audited

    def test_of_the_audit_stays_one_of_the_audit(self):
        campaign, case, expert = self.decided([5, 5], {"audit_share": 1.0})
        changed(campaign, range=2)
        judge(case, expert, values=ALL)
        assert self.audited(campaign) == 1
        assert case.kinds == " audit reopened "

    def test_of_another_reason_does_not_become_one(self):
        campaign, case, expert = self.decided([{"empathy": 1}, 5], {"range": 2})
        changed(campaign, audit_share=1.0)
        judge(case, expert, values=ALL)
        assert self.audited(campaign) == 0
