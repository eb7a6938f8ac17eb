"""`import_ratings`: a file is taken whole or refused with its line, and then nothing has changed."""

import io
import json
import zipfile

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command

from annotation.errors import CampaignNotOpen
from annotation.models import Assignment, Rating, User, WorkItem
from annotation.services.campaigns import close_campaign, pause_campaign
from annotation.services.imported import ImportedScore, RatingsRefused, import_ratings
from annotation.services.leases import lease_next
from annotation.services.ratings import restore_rating, withdraw_rating
from tests import factories

pytestmark = pytest.mark.django_db
HEADER = "item_id,rater_id,dimension,value\n"


def everything():
    """Every row of every table of the rooms."""
    rooms = ("jobs", "scenarios", "annotation", "reviews")
    models = [model for room in rooms for model in apps.get_app_config(room).get_models()]
    return {model: list(model._base_manager.order_by("pk").values_list()) for model in models}


@pytest.fixture
def campaign():
    return factories.campaign(items=2, overlap=2, slug="c")


@pytest.fixture
def ids(campaign):
    return [item.response.item_id for item in factories.items_of(campaign)]


@pytest.fixture
def bring(tmp_path, campaign):
    """Runs the command on a file with this content; the report."""

    def bring(content):
        file = tmp_path / "ratings.csv"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        out = io.StringIO()
        call_command("import_ratings", str(file), "--campaign", campaign.slug, "--json", stdout=out)
        return json.loads(out.getvalue())

    return bring


def whole(item_id, *raters, value=4):
    return "".join(f"{item_id},{rater},{key},{value}\n" for rater in raters for key in factories.DIMENSIONS)


def test_it_keeps_each_raters_scores_as_a_counted_rating(bring, ids):
    report = bring(HEADER + whole(ids[0], "r1", "r2") + whole(ids[1], "r1"))
    assert report == {
        "campaign": "c",
        "ratings": 3,
        "scores": 9,
        "unchanged": 0,
        "missing": 0,
        "raters_made": 2,
        "items_over_the_overlap": 0,
    }
    item = factories.items_of(Rating.objects.first().work_item.campaign)[0]
    assert (item.state, item.counted) == ("settled", 2)
    assert list(item.ratings.values_list("rank", "status", "annotator__username")) == [
        (1, "counted", "r1"),
        (2, "counted", "r2"),
    ]
    assert set(Assignment.objects.values_list("state", "imported")) == {("submitted", True)}


def test_unknown_raters_become_accounts_that_cannot_sign_in(bring, ids, client):
    bring(HEADER + whole(ids[0], "rater 1"))
    user = User.objects.get(username="rater 1")
    assert not user.is_active
    assert not user.has_usable_password()


def test_the_rule_is_asked(bring, ids):
    bring(HEADER + whole(ids[0], "r1", value=1) + whole(ids[0], "r2", value=5))
    assert WorkItem.objects.get(counted=2).state == "in_review"


def test_the_same_file_again_changes_nothing_and_says_so(bring, ids, tmp_path, campaign):
    content = HEADER + whole(ids[0], "r1", "r2", "r3")
    bring(content)
    before = everything()
    report = bring(content)
    assert (report["scores"], report["ratings"], report["unchanged"], report["raters_made"]) == (0, 0, 9, 0)
    assert everything() == before
    out = io.StringIO()
    call_command("import_ratings", str(tmp_path / "ratings.csv"), "--campaign", "c", stdout=out)
    assert "Nothing new: 9 scores were there already." in out.getvalue()


def test_a_file_with_more_lines_adds_only_those(bring, ids):
    bring(HEADER + whole(ids[0], "r1"))
    report = bring(HEADER + whole(ids[0], "r1", "r2"))
    assert (report["ratings"], report["scores"], report["unchanged"]) == (1, 3, 3)


def test_a_dimension_that_comes_later_supersedes_and_keeps_the_place(bring, ids):
    bring(HEADER + f"{ids[0]},r1,empathy,4\n")
    bring(HEADER + f"{ids[0]},r1,safety,5\n")
    rating = Rating.objects.counted().get()
    assert rating.rank == 1
    assert {score.dimension: score.value for score in rating.scores.all()} == {"empathy": 4, "safety": 5}


def test_more_ratings_than_the_overlap_are_kept_and_said(bring, ids, tmp_path):
    report = bring(HEADER + whole(ids[0], "r1", "r2", "r3"))
    assert report["items_over_the_overlap"] == 1
    assert Rating.objects.counted().count() == 3


def test_missing_values_are_counted_and_never_a_score(bring, ids):
    words = ["", "NA", "n/a", "NaN", "null", "None"]
    lines = "".join(f"{ids[0]},r{i},empathy,{word}\n" for i, word in enumerate(words))
    report = bring(HEADER + lines + whole(ids[0], "r9"))
    assert (report["missing"], report["scores"]) == (6, 3)


@pytest.mark.parametrize("change", ["bom", "crlf", "semicolon", "3.0"])
def test_files_come_as_spreadsheets_write_them(bring, ids, change):
    text = HEADER + whole(ids[0], "r1", value=3)
    text = {
        "bom": "\ufeff" + text,
        "crlf": text.replace("\n", "\r\n"),
        "semicolon": text.replace(",", ";"),
        "3.0": text.replace(",3\n", ",3.0\n"),
    }[change]
    assert bring(text)["scores"] == 3


def archive():
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as file:
        file.writestr("ratings.csv", HEADER)
    return made.getvalue()


# name: (what stands below one good line, line at fault, a word of the reason)
BAD = {
    "truncated line": ("{id},r2,empathy\n", 3, "3 cells"),
    "truncated quote": ('{id},r2,empathy,"4\n', 3, "never closed"),
    "score 6": ("{id},r2,empathy,6\n", 3, "6"),
    "score 0": ("{id},r2,empathy,0\n", 3, "0"),
    "score 3.5": ("{id},r2,empathy,3.5\n", 3, "3.5"),
    "score good": ("{id},r2,empathy,good\n", 3, "good"),
    "second and different": ("{id},r1,empathy,5\n", 3, ""),
    "unknown item": ("dialogue_emotion/q999/model-a/no_sap,r2,empathy,4\n", 3, "no item"),
    "unknown dimension": ("{id},r2,warmth,4\n", 3, "warmth"),
    "no rater": ("{id},,empathy,4\n", 3, "rater"),
    "rater too long": ("{id}," + "r" * 151 + ",empathy,4\n", 3, "150"),
    "escaped nul": ("{id},r\x002,empathy,4\n", 3, "NUL"),
    "a million columns": ("{id},r2,empathy,4" + ",x" * 10_000 + "\n", 3, "cells"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_line_is_named_and_nothing_changes(bring, ids, name):
    below, line, word = BAD[name]
    before = everything()
    with pytest.raises(CommandError) as error:
        bring(HEADER + f"{ids[0]},r1,empathy,4\n" + below.replace("{id}", ids[0]))
    told = str(error.value)
    assert error.value.returncode == 1
    assert "\n" not in told
    assert f"line {line}" in told
    assert word in told
    assert everything() == before


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"", "empty"),
        (b"\xef\xbb\xbf\n", "empty"),
        (HEADER.encode(), "no row"),
        (archive(), "zip"),
        ((HEADER + "a/b/sap,评委,empathy,4\n").encode("gb18030"), "UTF-8"),
        ((HEADER + "a/b/sap,r1,empathy,4\n").encode("utf-16"), "UTF-16"),
        (b"item_id,rater_id,dimension\na/b/sap,r1,empathy\n", "value"),
        (b"item_id,dimension,value\na/b/sap,empathy,4\n", "rater_id"),
        (b"item_id,rater_id,value\na/b/sap,r1,4\n", "dimension"),
    ],
)
def test_a_file_that_is_none_is_refused_in_one_line(bring, content, word):
    before = everything()
    with pytest.raises(CommandError) as error:
        bring(content)
    assert error.value.returncode == 1
    assert word in str(error.value)
    assert "\n" not in str(error.value)
    assert everything() == before


def test_a_file_that_is_not_there_is_said():
    factories.campaign(slug="c")
    with pytest.raises(CommandError, match="No such file"):
        call_command("import_ratings", "/nowhere/ratings.csv", "--campaign", "c")


def test_a_campaign_that_is_not_there_is_said(tmp_path):
    with pytest.raises(CommandError, match="There is no campaign nowhere"):
        call_command("import_ratings", str(tmp_path), "--campaign", "nowhere")


def test_another_score_than_the_database_holds_is_refused_with_its_line(bring, ids):
    bring(HEADER + whole(ids[0], "r1", value=4))
    before = everything()
    with pytest.raises(CommandError, match=r"line 3: r1 rated empathy of this item 4 before; 5"):
        bring(HEADER + f"{ids[1]},r1,empathy,4\n{ids[0]},r1,empathy,5\n")
    assert everything() == before


def test_another_score_than_they_gave_in_the_browser_is_refused(bring, campaign, ids):
    user = factories.member(campaign, user=factories.person("mei"))
    factories.rating(factories.items_of(campaign)[0], 4, user=user)
    assert bring(HEADER + whole(ids[0], "mei", value=4))["unchanged"] == 3
    with pytest.raises(CommandError, match="line 2"):
        bring(HEADER + whole(ids[0], "mei", value=5))


def test_a_withdrawn_rating_stays_withdrawn(bring, campaign, ids):
    content = HEADER + whole(ids[0], "r1")
    bring(content)
    withdraw_rating(rating_id=Rating.objects.get().pk)
    before = everything()
    assert bring(content)["unchanged"] == 3
    assert everything() == before


def test_more_of_a_withdrawn_rating_is_refused(bring, ids):
    bring(HEADER + f"{ids[0]},r1,empathy,4\n")
    withdraw_rating(rating_id=Rating.objects.get().pk)
    with pytest.raises(CommandError, match="line 2: r1's rating of this item was withdrawn"):
        bring(HEADER + f"{ids[0]},r1,safety,4\n")


def test_more_of_a_surplus_rating_is_surplus(bring, campaign, ids):
    bring(HEADER + f"{ids[0]},r1,empathy,4\n")
    first = Rating.objects.get()
    withdraw_rating(rating_id=first.pk)
    for _ in range(2):
        factories.rating(first.work_item)
    assert restore_rating(rating_id=first.pk).status == "surplus"
    bring(HEADER + f"{ids[0]},r1,safety,4\n")
    assert Rating.objects.get(supersedes=first).status == "surplus"


def test_who_manages_the_campaign_does_not_rate_in_it(bring, campaign, ids):
    factories.member(campaign, "manager", user=factories.person("boss"))
    with pytest.raises(CommandError, match="line 2: boss manages"):
        bring(HEADER + whole(ids[0], "boss"))


def test_a_lease_of_the_rater_is_answered_by_the_file(bring, campaign, ids):
    user = factories.member(campaign, user=factories.person("mei"))
    held = lease_next(campaign=campaign, user=user)
    bring(HEADER + whole(held.work_item.response.item_id, "mei"))
    held.refresh_from_db()
    assert held.state == "submitted"


@pytest.mark.parametrize("opened", [True, False])
def test_a_draft_or_a_paused_campaign_takes_them(tmp_path, opened):
    campaign = factories.campaign(opened=opened)
    if opened:
        pause_campaign(campaign=campaign)
    item_id = factories.items_of(campaign)[0].response.item_id
    assert import_ratings(campaign=campaign, scores=[ImportedScore(2, item_id, "r1", "safety", 4)]).ratings == 1


def test_a_closed_campaign_does_not(campaign, ids):
    stale = campaign
    close_campaign(campaign=campaign)
    with pytest.raises(CampaignNotOpen):
        import_ratings(campaign=stale, scores=[ImportedScore(2, ids[0], "r1", "safety", 4)])


def test_every_fault_is_in_the_error_and_the_first_is_told(campaign, ids):
    scores = [ImportedScore(line, ids[0], "r1", "safety", line) for line in (9, 8, 7)]
    with pytest.raises(RatingsRefused, match=r"line 7: .* \(and 2 more\)") as error:
        import_ratings(campaign=campaign, scores=scores)
    assert [fault.line for fault in error.value.faults] == [7, 8, 9]


def test_the_same_rating_with_another_value_is_refused_whoever_calls(campaign, ids):
    scores = [ImportedScore(2, ids[0], "r1", "safety", 4), ImportedScore(3, ids[0], "r1", "safety", 5)]
    with pytest.raises(RatingsRefused, match="line 3"):
        import_ratings(campaign=campaign, scores=scores)
