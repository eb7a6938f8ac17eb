"""A changed rule is a new version: what it now catches is queued, what it no longer catches falls, decisions stay."""

import pytest

from annotation.errors import CampaignNotOpen
from annotation.models import CampaignEvent, WorkItem
from annotation.services.campaigns import close_campaign
from jobs import runner
from jobs.models import Job
from reviews import tasks  # noqa: F401  (registers the handlers, as the worker does)
from reviews.forecast import Fate, fate_of
from reviews.models import Case
from reviews.rules import Rule
from reviews.services.cases import give_back, take_case
from reviews.services.rule import apply_rule, change_rule
from reviews.services.seen import seen_in_batches
from tests import factories
from tests.invariants import breaches

pytestmark = pytest.mark.django_db
State = Case.State
EMPTY = {"range": None, "safety_at_most": None, "marks_split": False, "asked": False, "audit_share": 0.0}
NOBODY = Rule()


def campaign_with(*items, rule=EMPTY, overlap=2, **more):
    """A campaign whose items have been rated so."""
    made = factories.campaign(items=len(items), overlap=overlap, rule=rule, **more)
    for item, scores in zip(factories.items_of(made), items, strict=True):
        factories.rated_item(scores, item=item)
    return made


def changed(campaign, **parts):
    """The rule changed, and the items gone over."""
    change_rule(campaign=campaign, rule=Rule(**parts))
    campaign.refresh_from_db()
    return apply_rule(campaign=campaign)


def states(campaign):
    return [item.state for item in factories.items_of(campaign)]


class TestEachPartOfARule:
    """Rated under no rule at all, then caught by one part alone."""

    @pytest.mark.parametrize(
        ("part", "caught", "let_go"),
        [
            ({"range": 2}, [{"empathy": 3}, 5], [{"empathy": 4}, 5]),
            ({"range": {"fluency": 1}}, [{"fluency": 4}, 5], [{"empathy": 1}, 5]),
            ({"safety_at_most": 2}, [{"safety": 2}, {"safety": 2}], [{"safety": 3}, {"safety": 3}]),
            ({"straddle": {"empathy": 4}}, [{"empathy": 3}, {"empathy": 4}], [{"empathy": 4}, 5]),
        ],
    )
    def test_sends_the_items_it_speaks_of_and_no_others(self, part, caught, let_go):
        campaign = campaign_with(caught, let_go)
        assert states(campaign) == ["settled", "settled"]
        assert changed(campaign, **part)["opened"] == 1
        assert states(campaign) == ["in_review", "settled"]
        case = Case.objects.get()
        assert (case.rule_version, case.state) == (2, State.WAITING)

    def test_marks_that_are_split(self):
        campaign = factories.campaign(items=2, overlap=2, rule=EMPTY)
        split, agreed = factories.items_of(campaign)
        factories.rating(split, 5, marks=["privacy"])
        factories.rating(split, 5)
        for _ in range(2):
            factories.rating(agreed, 5, marks=["privacy"])
        changed(campaign, marks_split=True)
        assert states(campaign) == ["in_review", "settled"]

    def test_a_rater_who_asked(self):
        campaign = factories.campaign(items=1, overlap=2, rule=EMPTY)
        (item,) = factories.items_of(campaign)
        factories.rating(item, 5, needs_expert=True)
        factories.rating(item, 5)
        changed(campaign, asked=True)
        assert states(campaign) == ["in_review"]

    def test_raters_who_all_hurried(self):
        data = factories.dataset(scenarios=2, texts=["word " * 2000])
        campaign = factories.campaign(data=data, overlap=2, rule=EMPTY)
        first, second = factories.items_of(campaign)
        for item, seconds in ((first, (5, 5)), (second, (5, 5))):
            for given in seconds:
                factories.rating(item, 5, seconds=given)
        second.ratings.filter(rank=1).update(seconds=2000)
        first.ratings.update(seconds=5)
        changed(campaign, hurried=True)
        assert states(campaign) == ["in_review", "settled"]

    def test_the_audit_draws_among_the_agreed(self):
        campaign = campaign_with([5, 5], [5, 5])
        changed(campaign, audit_share=1.0)
        assert states(campaign) == ["in_review", "in_review"]
        assert Case.objects.filter(is_audit_only=True).count() == 2


class TestWhatBecomesOfCases:
    DISPUTED = [{"empathy": 1}, 5]
    RULE = EMPTY | {"range": 2}

    def test_a_waiting_case_that_is_no_longer_caught_falls(self):
        campaign = campaign_with(self.DISPUTED, rule=self.RULE)
        result = changed(campaign, safety_at_most=2)
        assert result["fallen"] == 1
        assert states(campaign) == ["settled"]
        assert Case.objects.get().state == State.FALLEN

    def test_a_waiting_case_that_is_caught_still_has_the_reasons_of_the_new_version(self):
        campaign = campaign_with(self.DISPUTED, rule=self.RULE)
        result = changed(campaign, straddle={"empathy": 3}, twice_share=1.0)
        assert (result["refreshed"], result["opened"]) == (1, 0)
        case = Case.objects.get()
        assert [reason["kind"] for reason in case.reasons] == ["straddle"]
        assert (case.rule_version, case.drawn_twice, case.opinions_needed) == (2, True, 2)

    def test_a_case_in_an_experts_hands_is_left_to_them_and_falls_when_it_is_given_back(self):
        campaign = campaign_with(self.DISPUTED, rule=self.RULE)
        case, expert = Case.objects.get(), factories.member(campaign, "expert")
        take_case(case_id=case.pk, expert=expert)
        before = Case.objects.values().get(pk=case.pk)
        changed(campaign, safety_at_most=2)
        assert Case.objects.values().get(pk=case.pk) == before
        give_back(case_id=case.pk, expert=expert)
        case.refresh_from_db()
        assert case.state == State.FALLEN

    @pytest.mark.parametrize("part", [{}, {"range": 1}, {"safety_at_most": 5}])
    def test_a_decided_case_stays_decided_whatever_the_rule_says(self, part, decide):
        campaign = campaign_with(self.DISPUTED, rule=self.RULE)
        case = Case.objects.get()
        decide(case, factories.member(campaign, "expert"))
        before = Case.objects.values().get(pk=case.pk)
        result = changed(campaign, **part, asked=True)
        assert Case.objects.values().get() == before
        assert states(campaign) == ["settled"]
        assert result["looked_at"] == 1
        assert sum(result[fate] for fate in ("opened", "fallen", "refreshed", "extra")) == 0

    def test_a_reopened_case_does_not_fall_by_a_rule(self, decide):
        from reviews.services.cases import reopen_case

        campaign = campaign_with(self.DISPUTED, rule=self.RULE)
        case = Case.objects.get()
        decide(case, factories.member(campaign, "expert"))
        reopen_case(case_id=case.pk, by=factories.member(campaign, "manager"), reason="Look again.")
        changed(campaign, safety_at_most=1)
        case.refresh_from_db()
        assert (case.state, states(campaign)) == (State.WAITING, ["in_review"])
        assert "reopened" in case.kinds


class TestMoreRaters:
    DISPUTED = [{"empathy": 1}, 5]

    def test_are_asked_where_the_rule_now_wants_them_and_the_waiting_case_falls(self):
        campaign = campaign_with(self.DISPUTED, [5, 5], rule=EMPTY | {"range": 2})
        result = changed(campaign, range=2, extra_raters=2)
        assert result["extra"] == 1
        assert states(campaign) == ["open", "settled"]
        item = factories.items_of(campaign)[0]
        assert (item.needed, item.extra) == (4, 2)
        assert Case.objects.get().state == State.FALLEN
        assert breaches(campaign) == []

    def test_are_called_off_where_the_rule_no_longer_sees_a_disagreement(self):
        campaign = campaign_with(self.DISPUTED, rule=EMPTY | {"range": 2, "extra_raters": 2})
        assert states(campaign) == ["open"]
        assert changed(campaign, safety_at_most=1, extra_raters=2)["settled"] == 1
        item = factories.items_of(campaign)[0]
        assert (item.state, item.needed, item.extra) == ("settled", 2, 0)

    def test_are_called_off_for_the_expert_where_the_rule_no_longer_asks_any(self):
        campaign = campaign_with(self.DISPUTED, rule=EMPTY | {"range": 2, "extra_raters": 2})
        assert changed(campaign, range=2)["opened"] == 1
        assert states(campaign) == ["in_review"]

    def test_someone_at_it_is_waited_for(self):
        campaign = campaign_with(self.DISPUTED, rule=EMPTY | {"range": 2, "extra_raters": 2})
        item = factories.items_of(campaign)[0]
        late = factories.lease(item, factories.member(campaign))
        changed(campaign, safety_at_most=1)
        assert states(campaign) == ["open"]
        factories.rating(item, 5, user=late.annotator, assignment=late)
        assert states(campaign) == ["settled"]

    def test_who_were_asked_once_are_not_asked_again(self):
        campaign = campaign_with(self.DISPUTED, rule=EMPTY | {"range": 2, "extra_raters": 1})
        item = factories.items_of(campaign)[0]
        factories.rating(item, {"empathy": 1})
        assert states(campaign) == ["in_review"]
        assert changed(campaign, range=1, extra_raters=3)["extra"] == 0
        assert states(campaign) == ["in_review"]

    def test_nobody_is_asked_on_a_closed_campaign(self):
        campaign = campaign_with(self.DISPUTED)
        change_rule(campaign=campaign, rule=Rule(range=2, extra_raters=2))
        campaign.refresh_from_db()
        close_campaign(campaign=campaign)
        assert apply_rule(campaign=campaign)["opened"] == 1
        assert states(campaign) == ["in_review"]


class TestVersions:
    def test_the_same_rule_again_changes_nothing(self):
        campaign = campaign_with([5, 5])
        change_rule(campaign=campaign, rule=Rule())
        campaign.refresh_from_db()
        assert campaign.rule_version == 1
        assert not Job.objects.exists()

    def test_a_change_is_in_the_log_with_both_rules_and_asks_for_the_work(self):
        campaign, chief = campaign_with([5, 5]), factories.person()
        change_rule(campaign=campaign, rule=Rule(range=3), by=chief, reason=" Too many cases. ")
        campaign.refresh_from_db()
        assert (campaign.rule_version, campaign.rule["range"]) == (2, 3)
        event = CampaignEvent.objects.get(kind="rule changed")
        assert event.by == chief
        assert event.detail["version"] == 2
        assert event.detail["old"]["range"] is None
        assert (event.detail["new"]["range"], event.detail["reason"]) == (3, "Too many cases.")
        job = Job.objects.get()
        assert job.arguments == {"campaign": campaign.slug, "version": 2}

    def test_a_closed_campaign_keeps_its_rule(self):
        campaign = close_campaign(campaign=campaign_with([5, 5]))
        with pytest.raises(CampaignNotOpen):
            change_rule(campaign=campaign, rule=Rule(range=3))

    def test_a_draft_with_imported_ratings_can_be_changed_before_it_opens(self):
        from annotation.services.imported import ImportedScore, import_ratings

        campaign = factories.campaign(overlap=2, opened=False, rule=EMPTY)
        item = factories.items_of(campaign)[0]
        scores = [
            ImportedScore(line, item.response.item_id, rater, "empathy", value)
            for line, (rater, value) in enumerate([("a", 1), ("b", 5)])
        ]
        import_ratings(campaign=campaign, scores=scores)
        assert states(campaign) == ["settled"]
        assert changed(campaign, range=2)["opened"] == 1
        assert states(campaign) == ["in_review"]

    def test_the_job_of_an_older_version_leaves_the_rest_to_the_newer_one(self):
        campaign = campaign_with([{"empathy": 1}, 5])
        change_rule(campaign=campaign, rule=Rule(range=2))
        change_rule(campaign=campaign, rule=Rule(range=3))
        first, second = Job.objects.order_by("created_at", "pk")
        assert runner.run(first.pk)
        assert not Case.objects.exists()
        assert runner.run(second.pk)
        assert Case.objects.get().rule_version == 3


def test_it_may_be_killed_anywhere_and_run_again():
    class Killed(Exception):
        pass

    made = [
        campaign_with([{"empathy": 1}, 5], [5, 5], [{"empathy": 4}, 5], [{"safety": 1}, 5], rule=EMPTY | {"range": 3})
        for _ in range(6)
    ]
    ends = []
    for at, campaign in enumerate(made):
        change_rule(campaign=campaign, rule=Rule(range=1, safety_at_most=1, extra_raters=1))

        def stop(done, _total, at=at):
            if done == at:
                raise Killed

        if 0 < at < 5:
            with pytest.raises(Killed):
                apply_rule(campaign=campaign, progress=stop)
        apply_rule(campaign=campaign)
        again = apply_rule(campaign=campaign)
        assert sum(again[fate] for fate in ("opened", "fallen", "refreshed", "extra", "settled")) == 0
        ends.append(
            list(WorkItem.objects.filter(campaign=campaign).order_by("priority").values_list("state", "needed"))
        )
        ends[-1].append(Case.objects.filter(campaign=campaign, state=State.WAITING).count())
        assert breaches(campaign) == []
    assert all(end == ends[0] for end in ends)


def test_looking_at_many_is_what_looking_at_each_under_its_lock_is():
    campaign = campaign_with([{"empathy": 1}, 5], [5, 5], [{"safety": 1}, 5], rule=EMPTY | {"range": 2})
    rule = Rule(safety_at_most=2)
    foreseen = [
        fate_of(item, rule, seed=0, version=2, closed=False)
        for batch in seen_in_batches(campaign, hurried=True)
        for item in batch
    ]
    assert foreseen == [Fate.FALLEN, Fate.LEFT, Fate.REFRESHED]
    result = changed(campaign, safety_at_most=2)
    assert (result["fallen"], result["refreshed"], result["opened"]) == (1, 1, 0)
