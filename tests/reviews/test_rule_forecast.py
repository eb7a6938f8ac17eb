"""What a rule is said to send is what it sends: counted by hand, and held to a replay of the ratings under the rule."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from reviews.forecast import Caught, ItemSeen, forecast_of
from reviews.models import Case
from reviews.rules import RatingSeen, Rule
from reviews.services import forecast as service
from reviews.services.forecast import outlook_of_rule
from reviews.services.rule import apply_rule, change_rule
from tests import factories
from tests.invariants import breaches


def seen(number, *scores, extra=0, needed=None, **more):
    ratings = [RatingSeen({"empathy": e, "safety": s}) for e, s in scores]
    needed = len(scores) if needed is None else needed
    return ItemSeen(number, f"q{number}/m/c", f"q{number}", "settled", needed, extra, leased=0, ratings=ratings, **more)


ITEMS = [
    seen(1, (5, 5), (5, 5)),
    seen(2, (1, 5), (5, 5)),  # empathy 4 apart
    seen(3, (4, 5), (5, 5)),  # empathy 1 apart
    seen(4, (1, 1), (5, 5)),  # both apart, and low safety
    seen(5, (5, 2), (5, 2)),  # low safety, all agree
    seen(6, (1, 5), needed=2),  # one of two ratings
]


class TestByHand:
    def test_what_a_range_sends(self):
        found = forecast_of(ITEMS, Rule(range=2), seed=0)
        assert (found.looked_at, found.sent.hits, found.extra) == (5, 2, 0)
        assert found.kinds == {"range": Caught(2, 2)}
        assert found.dimensions == {"empathy": Caught(2, 1), "safety": Caught(1, 0)}

    def test_reasons_are_counted_each_and_alone(self):
        found = forecast_of(ITEMS, Rule(range=2, safety_at_most=2), seed=0)
        assert found.sent.hits == 3
        assert found.kinds == {"safety": Caught(2, 1), "range": Caught(2, 1)}

    def test_those_that_more_raters_are_asked_for_first_are_told_apart(self):
        found = forecast_of(ITEMS, Rule(range=2, safety_at_most=2, extra_raters=1), seed=0)
        assert (found.sent.hits, found.extra, found.caught) == (2, 1, 3)

    def test_what_was_said_because_of_disagreement_is_not_in_it(self):
        item = seen(7, (1, 5), (5, 5), (5, 5), (5, 5), needed=4, extra=2)
        assert forecast_of([item], Rule(range=2), seed=0).sent.hits == 1
        agreed = seen(8, (5, 5), (5, 5), (1, 5), needed=3, extra=1)
        assert forecast_of([agreed], Rule(range=2), seed=0).sent.hits == 0

    def test_the_share_has_an_interval(self):
        found = forecast_of(ITEMS, Rule(range=2), seed=0).sent
        assert found.low < found.share == 0.4 < found.high

    def test_of_nothing_there_is_nothing_to_say(self):
        found = forecast_of([], Rule(range=2), seed=0)
        assert (found.looked_at, found.sent.share) == (0, None)


LEVEL = st.integers(1, 5)
SCORES = st.fixed_dictionaries({"empathy": LEVEL, "fluency": LEVEL, "safety": LEVEL})
RATING = st.tuples(SCORES, st.sampled_from([(), (), ("privacy",)]), st.booleans())
RULES = st.builds(
    Rule,
    range=st.none() | st.integers(1, 4) | st.fixed_dictionaries({"empathy": LEVEL.filter(lambda n: n < 5)}),
    safety_at_most=st.none() | st.integers(1, 3),
    straddle=st.sampled_from([{}, {"empathy": 3}, {"fluency": 4, "safety": 2}]),
    marks_split=st.booleans(),
    asked=st.booleans(),
    audit_share=st.sampled_from([0.0, 0.3]),
    extra_raters=st.integers(0, 2),
)


class TestReplayed(TestCase):
    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(items=st.lists(st.lists(RATING, min_size=2, max_size=2), min_size=1, max_size=4), old=RULES, new=RULES)
    def test_the_count_is_what_happens_when_the_ratings_come_in_under_the_rule(self, items, old, new):
        before = self._replayed(items, old)
        foreseen = outlook_of_rule(before, new)
        after = self._replayed(items, new)
        sent, more = self._cases(after), sum(item.extra > 0 for item in factories.items_of(after))
        assert (foreseen.forecast.sent.hits, foreseen.forecast.extra) == (sent, more)

        change_rule(campaign=before, rule=new)
        before.refresh_from_db()
        result = apply_rule(campaign=before)
        if new != old:
            assert {key: result[key] for key in foreseen.changes} == foreseen.changes
        assert breaches(before) == []
        assert self._ends(before) == self._ends(after)

    def _replayed(self, items, rule):
        parts = rule.as_json()
        made = factories.campaign(items=len(items), overlap=2, rule=parts)
        for item, ratings in zip(factories.items_of(made), items, strict=True):
            for scores, marks, asked in ratings:
                factories.rating(item, scores, marks=marks, needs_expert=asked)
        return made

    def _cases(self, campaign):
        return Case.objects.standing().filter(campaign=campaign).count()

    def _ends(self, campaign):
        standing = Case.objects.standing().filter(campaign=campaign).order_by("work_item__priority")
        items = [(item.state, item.counted, bool(item.extra)) for item in factories.items_of(campaign)]
        return items, list(standing.values_list("work_item__priority", "kinds", "priority", "dimensions"))


@pytest.mark.django_db
class TestOfACampaign:
    def rated(self, n=4):
        campaign = factories.campaign(items=n, overlap=2, rule={"range": 2})
        for place, item in enumerate(factories.items_of(campaign)):
            factories.rated_item([{"empathy": 1} if place % 2 else 5, 5], item=item)
        return campaign

    def test_it_writes_nothing_and_takes_as_many_queries_of_much_as_of_little(self, django_assert_num_queries):
        rule = Rule(range=2, hurried=True)
        for n in (1, 6):
            campaign = self.rated(n)
            with django_assert_num_queries(8):
                outlook_of_rule(campaign, rule, compare=True)

    def test_a_large_campaign_is_looked_at_in_a_sample_with_its_interval(self, monkeypatch):
        monkeypatch.setattr(service, "SAMPLE", 2)
        outlook = outlook_of_rule(self.rated(), Rule(range=2))
        assert (outlook.rated, outlook.forecast.looked_at, outlook.is_sample) == (4, 2, True)

    def test_the_rules_beside_it_are_counted_on_the_same_items(self):
        outlook = outlook_of_rule(self.rated(), Rule(range=4), compare=True)
        by_name = {name: other.sent.hits for name, other in outlook.others}
        assert by_name["Scores 3 levels or more apart"] == 2
        assert by_name["Without the distance of scores"] == 0
        assert "Without the audit" not in by_name
