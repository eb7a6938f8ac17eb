"""A decided case as a training item and as an example in the guideline, each in one step."""

import pytest

from annotation.errors import CampaignNotOpen, ExampleInvalid, ExampleRefused, NotAllowed, ReferenceRefused
from annotation.models import CampaignEvent, ReferenceAnswer, WorkItem
from annotation.services.campaigns import close_campaign
from annotation.services.ratings import withdraw_rating
from reviews.errors import CaseNotDecided, CaseNotFound, ConflictOfInterest, LessonInvalid
from reviews.models import Case
from reviews.services.lessons import make_example, make_training_item
from tests import factories

pytestmark = pytest.mark.django_db

TEXT = "You sound tired 😔 tonight. You won't need anyone else, I'll drill you."
QUOTE = "You won't need anyone else"
WHY = "It ties her to itself."


def mark(kind="dependence", quote=QUOTE, note=""):
    start = TEXT.index(quote)
    return {"type": kind, "start": start, "end": start + len(quote), "quote": quote, "note": note}


def case_of(*ratings, text=TEXT, **options):
    """A waiting case whose raters gave these (scores, marks)."""
    data = factories.dataset(scenarios=1, texts=[text])
    item = factories.items_of(factories.campaign(data=data, overlap=len(ratings), **options))[0]
    for scores, marks in ratings:
        factories.rating(item, scores, marks=marks)
    return Case.objects.get(work_item=item)


@pytest.fixture
def case():
    """Empathy 1, 4, 4; one of three marks dependence."""
    return case_of(({"empathy": 1}, [mark()]), ({"empathy": 4}, []), ({"empathy": 4}, []))


@pytest.fixture
def decided(case, expert, decide):
    decide(case, expert, {"empathy": 2}, marks={"dependence": True}, rationale=WHY)
    return case


@pytest.fixture(params=[make_training_item, make_example])
def verb(request):
    return request.param


def example_in(campaign):
    campaign.refresh_from_db()
    return campaign.rubric.content["examples"][-1]


class TestWho:
    """The same for both: they come of what may be read, by those who did not rate it."""

    @pytest.mark.parametrize("role", ["expert", "manager"])
    def test_another_expert_and_a_manager_may(self, decided, verb, role):
        verb(case_id=decided.pk, by=factories.member(decided.campaign, role))
        assert decided.campaign.events.filter(by__memberships__role=role).exclude(kind="member added").exists()

    def test_who_was_given_the_item_may_not(self, decided, verb):
        rater = decided.work_item.ratings.first().annotator
        factories.member(decided.campaign, "expert", user=rater)
        with pytest.raises(ConflictOfInterest):
            verb(case_id=decided.pk, by=rater)

    def test_an_expert_who_rates_here_too_may_not(self, decided, verb):
        both = factories.member(decided.campaign, "expert")
        factories.member(decided.campaign, user=both)
        with pytest.raises(NotAllowed):
            verb(case_id=decided.pk, by=both)

    def test_for_a_rater_there_is_no_such_case(self, decided, verb):
        with pytest.raises(CaseNotFound):
            verb(case_id=decided.pk, by=factories.member(decided.campaign))

    def test_only_a_decided_case_teaches(self, case, expert, verb):
        with pytest.raises(CaseNotDecided):
            verb(case_id=case.pk, by=expert)

    def test_a_closed_campaign_takes_neither(self, decided, expert, verb):
        close_campaign(campaign=decided.campaign)
        with pytest.raises(CampaignNotOpen):
            verb(case_id=decided.pk, by=expert)


class TestATrainingItem:
    def test_its_answer_is_the_decision_and_else_what_the_raters_agreed_on(self, decided, expert):
        answer = make_training_item(case_id=decided.pk, by=expert)
        item = WorkItem.everything.get(reference=answer)
        assert (item.purpose, item.response) == (WorkItem.Purpose.TRAINING, decided.work_item.response)
        assert answer.scores == {"empathy": 2, "fluency": 5, "safety": 5}
        assert answer.marks == [mark()]
        assert answer.reasons == {"empathy": WHY}

    def test_it_says_where_it_comes_from_and_names_nobody(self, decided, expert):
        assert make_training_item(case_id=decided.pk, by=expert).source == f"decision of case {decided.pk}"

    def test_a_reason_for_several_dimensions_is_said_once(self, case, expert, decide):
        decide(case, expert, {"empathy": 2, "safety": 3}, marks={"dependence": False}, rationale=WHY)
        answer = make_training_item(case_id=case.pk, by=expert)
        assert (answer.reasons, answer.marks) == ({"": WHY}, [])

    def test_a_half_point_and_what_cannot_be_decided_are_asked_for(self, expert_of, decide):
        case = case_of(({"empathy": 1, "safety": 4}, []), ({"empathy": 5, "fluency": 4, "safety": 4}, []))
        expert = expert_of(case)
        decide(case, expert, {"empathy": "ambiguous"}, rationale=WHY)
        with pytest.raises(LessonInvalid) as error:
            make_training_item(case_id=case.pk, by=expert)
        assert sorted(error.value.fields) == ["levels.empathy", "levels.fluency"]
        assert not ReferenceAnswer.objects.exists()
        answer = make_training_item(case_id=case.pk, by=expert, levels={"empathy": 3, "fluency": 5})
        assert answer.scores == {"empathy": 3, "fluency": 5, "safety": 4}

    @pytest.mark.parametrize("levels", [{"empathy": 5}, {"wit": 3}, {"fluency": 5, "safety": 1}])
    def test_what_is_decided_is_not_given_anew(self, decided, expert, levels):
        with pytest.raises(LessonInvalid):
            make_training_item(case_id=decided.pk, by=expert, levels=levels)

    @pytest.mark.parametrize("level", [0, 6, "3", None, True])
    def test_what_is_asked_for_is_a_level(self, expert_of, decide, level):
        case = case_of(({"empathy": 1}, []), ({"empathy": 5, "fluency": 4}, []))
        expert = expert_of(case)
        decide(case, expert, {"empathy": 4})
        with pytest.raises(LessonInvalid):
            make_training_item(case_id=case.pk, by=expert, levels={"fluency": level})

    def test_no_rater_s_words_come_with_it(self, expert_of, decide):
        seen = mark("other", note="As Mei said to me.")
        case = case_of(({"empathy": 1}, [seen]), ({"empathy": 5}, [seen]))
        expert = expert_of(case)
        decide(case, expert, {"empathy": 4}, rationale=WHY)
        [given] = make_training_item(case_id=case.pk, by=expert).marks
        assert given == mark("other", note=WHY)  # all marked it, so it stands; its note is the expert's

    def test_a_violation_that_the_expert_alone_saw_points_nowhere(self, case, expert, decide):
        marks = {"dependence": False, "privacy": True}
        decide(case, expert, {"empathy": 2}, marks=marks, rationale=WHY)
        [given] = make_training_item(case_id=case.pk, by=expert).marks
        assert (given["type"], given["start"], given["quote"]) == ("privacy", None, "")

    def test_made_twice_it_is_one(self, decided, expert):
        assert make_training_item(case_id=decided.pk, by=expert) == make_training_item(case_id=decided.pk, by=expert)
        assert CampaignEvent.objects.filter(kind="known answer created").count() == 1

    def test_not_while_the_item_is_rated_again(self, decided, expert):
        withdraw_rating(rating_id=decided.work_item.ratings.first().pk)
        with pytest.raises(CaseNotDecided, match="wants raters again"):
            make_training_item(case_id=decided.pk, by=expert)
        assert not ReferenceAnswer.objects.exists()

    def test_not_of_what_stands_in_the_guideline(self, decided, expert):
        make_example(case_id=decided.pk, by=expert)
        with pytest.raises(ReferenceRefused, match="guideline"):
            make_training_item(case_id=decided.pk, by=expert)


@pytest.fixture
def expert_of():
    def expert_of(case):
        return factories.member(case.campaign, "expert")

    return expert_of


class TestAnExample:
    def test_what_is_not_said_is_taken_from_the_case(self, decided, expert):
        added = make_example(case_id=decided.pk, by=expert)
        assert added.created
        assert example_in(decided.campaign) == {
            "text": TEXT,
            "language": "en",
            "dimension": "empathy",
            "level": 2,
            "violation": "dependence",
            "why": {"en": WHY},
        }

    def test_a_reason_in_chinese_is_taken_as_chinese_whoever_asks(self, case, expert, decide):
        decide(case, expert, {"empathy": 2}, marks={"dependence": False}, rationale="它让她只依赖自己。")
        make_example(case_id=case.pk, by=expert)
        assert example_in(case.campaign)["why"] == {"zh-Hans": "它让她只依赖自己。"}

    def test_of_a_long_response_the_marked_passage_is_taken(self, expert_of, decide):
        case = case_of(({"empathy": 1}, [mark()]), ({"empathy": 5}, []), text=TEXT + " And so on." * 60)
        expert = expert_of(case)
        decide(case, expert, {"empathy": 4}, marks={"dependence": False}, rationale=WHY)
        make_example(case_id=case.pk, by=expert)
        assert example_in(case.campaign)["text"] == QUOTE
        assert example_in(case.campaign)["violation"] == ""

    def test_of_a_long_one_that_nobody_marked_its_beginning(self, expert_of, decide):
        case = case_of(({"empathy": 1}, []), ({"empathy": 5}, []), text="Ah well. " * 100)
        expert = expert_of(case)
        decide(case, expert, {"empathy": 4}, rationale=WHY)
        make_example(case_id=case.pk, by=expert)
        assert len(example_in(case.campaign)["text"]) in range(590, 601)

    def test_passage_and_reason_are_chosen_the_level_is_the_expert_s(self, decided, expert):
        why = {"zh-Hans": "它让她只依赖自己。", "en": ""}
        make_example(case_id=decided.pk, by=expert, passage="I'll drill you.", violation="", why=why)
        example = example_in(decided.campaign)
        assert (example["text"], example["violation"]) == ("I'll drill you.", "")
        assert (example["level"], example["why"]) == (2, {"zh-Hans": "它让她只依赖自己。"})

    def test_what_cannot_be_decided_is_an_example_too(self, case, expert, decide):
        decide(case, expert, {"empathy": "ambiguous"}, marks={"dependence": False}, rationale=WHY)
        make_example(case_id=case.pk, by=expert)
        assert (example_in(case.campaign)["dimension"], example_in(case.campaign)["level"]) == ("empathy", None)

    @pytest.mark.parametrize(
        ("given", "field"),
        [
            ({"passage": "It never said this."}, "text"),
            ({"passage": " "}, "text"),
            ({"passage": ["x"]}, "text"),
            ({"dimension": "fluency"}, "dimension"),
            ({"dimension": ["empathy"]}, "dimension"),
            ({"dimension": "", "violation": ""}, "dimension"),
            ({"violation": "privacy"}, "violation"),
            ({"violation": {"a": 1}}, "violation"),
            ({"why": {}}, "why"),
            ({"why": {"en": " "}}, "why"),
            ({"why": {"en": "x" * 2001}}, "why"),
            ({"why": {"fr": "Parce que."}}, "why"),
            ({"why": "because"}, "why"),
        ],
    )
    def test_what_is_wrong_is_named_by_its_field(self, decided, expert, given, field):
        before = decided.campaign.rubric
        with pytest.raises(ExampleInvalid) as error:
            make_example(case_id=decided.pk, by=expert, **given)
        assert list(error.value.fields) == [field]
        decided.campaign.refresh_from_db()
        assert decided.campaign.rubric == before

    def test_without_a_reason_on_record_one_is_asked_for(self, case, expert, decide):
        decide(case, expert, {"empathy": 4}, marks={"dependence": False})
        with pytest.raises(ExampleInvalid) as error:
            make_example(case_id=case.pk, by=expert)
        assert list(error.value.fields) == ["why"]

    def test_not_while_the_item_is_not_settled(self, decided, expert):
        withdraw_rating(rating_id=decided.work_item.ratings.first().pk)
        with pytest.raises(ExampleRefused, match="not settled"):
            make_example(case_id=decided.pk, by=expert)

    def test_not_of_a_training_item(self, decided, expert):
        make_training_item(case_id=decided.pk, by=expert)
        with pytest.raises(ExampleRefused, match="for training"):
            make_example(case_id=decided.pk, by=expert)

    def test_the_same_again_is_no_new_version(self, decided, expert):
        first = make_example(case_id=decided.pk, by=expert)
        again = make_example(case_id=decided.pk, by=expert)
        assert (again.created, again.rubric) == (False, first.rubric)
