"""Every page of the site with who looks at it: read by the tests that walk them all, so that no new page escapes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from annotation.models import Assignment, Membership, Rating
from annotation.services.care import flag_heavy, read_note, set_desk
from annotation.services.people import invite
from reviews.models import RatingWithdrawal, SavedView
from reviews.services.releases import publish_release
from tests import factories, world
from tests.addresses import Address
from tests.world import World

# path: who looks at it, in order. Who has read the content note rates; `second` has not, and meets it first.
PAGES: dict[str, str] = {
    "": "stranger annotator first expert manager site_manager",
    "account/": "annotator",
    "accounts/confirm-email/": "anonymous",
    "accounts/confirm-email/{key}/": "anonymous",
    "accounts/email/": "annotator",
    "accounts/inactive/": "anonymous",
    "accounts/login/": "anonymous",
    "accounts/logout/": "annotator",
    "accounts/password/change/": "chief",
    "accounts/password/reset/": "anonymous",
    "accounts/password/reset/done/": "anonymous",
    "accounts/password/reset/key/done/": "anonymous",
    "accounts/password/reset/key/{uidb36}-{key}/": "anonymous",
    "accounts/password/set/": "annotator",
    "accounts/reauthenticate/": "chief",
    "accounts/signup/": "anonymous",
    "campaigns/": "stranger annotator manager",
    "campaigns/new/": "site_manager",
    "campaigns/{slug}/": "manager site_manager",
    "campaigns/{slug}/agreement/": "manager",
    "campaigns/{slug}/agreement/compare/": "manager",
    "campaigns/{slug}/break/": "annotator",
    "campaigns/{slug}/cases/": "expert chief",
    "campaigns/{slug}/close/": "manager",
    "campaigns/{slug}/desk/": "manager",
    "campaigns/{slug}/experts/": "expert manager chief",
    "campaigns/{slug}/guideline/": "annotator",
    "campaigns/{slug}/hours/": "manager",
    "campaigns/{slug}/messages/": "annotator first expert manager",
    "campaigns/{slug}/messages/{user_id}/": "manager",
    "campaigns/{slug}/mine/": "annotator",
    "campaigns/{slug}/mine/{assignment_id}/": "annotator",
    "campaigns/{slug}/pause/": "manager",
    "campaigns/{slug}/people/": "manager",
    "campaigns/{slug}/practice/": "annotator second",
    "campaigns/{slug}/practice/{item_id}/": "annotator",
    "campaigns/{slug}/rate/": "annotator second paused",
    "campaigns/{slug}/rate/{assignment_id}/": "annotator both",
    "campaigns/{slug}/rate/{assignment_id}/skip/": "annotator",
    "campaigns/{slug}/rate/{assignment_id}/flag/": "annotator",
    "campaigns/{slug}/raters/{user_id}/": "manager chief",
    "campaigns/{slug}/raters/{user_id}/withdraw/": "manager",
    "campaigns/{slug}/refinement/": "expert manager both",
    "campaigns/{slug}/refinement/{scenario_id}/": "expert manager chief",
    "campaigns/{slug}/overlap/": "manager",
    "campaigns/{slug}/releases/": "manager",
    "campaigns/{slug}/rule/": "manager expert",
    "campaigns/{slug}/releases/compare/": "manager",
    "campaigns/{slug}/support/": "annotator expert",
    "campaigns/{slug}/training/": "manager",
    "campaigns/{slug}/training/answers/": "manager",
    "campaigns/{slug}/training/attempts/{attempt_id}/": "manager",
    "cases/": "expert manager both",
    "cases/{case_id}/": "expert",
    "datasets/": "manager site_manager",
    "datasets/import/": "site_manager",
    "datasets/{slug}/": "manager",
    "hours/": "annotator manager",
    "jobs/{job_id}/": "manager",
    "plan/": "manager site_manager",
    "plan/{job_id}/": "manager",
    "welcome/{secret}/": "stranger anonymous",
}
# Pages whose address goes on behind a question mark.
MORE = {
    "campaigns/{slug}/raters/{user_id}/withdraw/?since=2020-01-01T00:00&zone=Asia/Shanghai&reason=2026": "manager",
    "campaigns/new/?dataset={dataset}": "site_manager",
    "campaigns/{slug}/mine/?show=skipped": "annotator",
    "campaigns/{slug}/rate/?none": "both",
    "campaigns/{slug}/rule/?count=1&range=1&range.empathy=3&straddle.fluency=3&safety_at_most=2&hurried=on"
    "&audit_percent=5&extra_raters=1&settled_percent=75&twice_percent=10": "manager",
    "datasets/import/?kind=responses": "site_manager",
    "cases/{decided}/": "expert",
    "cases/?state=decided&dimension=empathy&spread=2&sort=oldest": "expert",
    "cases/?q=nothing+like+this": "expert",
    "nothing-is-here/": "annotator",
}
# GET addresses that are no page of their own, each for one of these reasons.
NO_PAGES: dict[str, list[str]] = {
    "a file or data": [
        "alive/",
        "api/schema/",
        "campaigns/{slug}/agreement.html",
        "campaigns/{slug}/agreement.json",
        "campaigns/{slug}/agreement/compare.json",
        "campaigns/{slug}/agreement/compare/{job_id}/all.zip",
        "campaigns/{slug}/agreement/compare/{job_id}/{name}.csv",
        "campaigns/{slug}/agreement/{report_id}/all.zip",
        "campaigns/{slug}/agreement/{report_id}/{name}.csv",
        "campaigns/{slug}/hours.csv",
        "campaigns/{slug}/releases/compare.csv",
        "campaigns/{slug}/releases/compare.jsonl",
        "campaigns/{slug}/releases/{number}/{name}",
        "hours.csv",
        "plan/{job_id}/{name}.csv",
    ],
    "a part that scripts put into a page": [
        "campaigns/new/count/",
        "campaigns/{slug}/agreement/live/",
        "jobs/{job_id}/progress/",
    ],
    "leads on to a page of the list": [
        "accounts/login/code/confirm/",
        "accounts/reauthenticate/code/confirm/",
        "campaigns/{slug}/mine/last/",
        "cases/{case_id}/decision/",
    ],
    "refused: the campaign is open, there is no such code": [
        "campaigns/{slug}/open/",
        "accounts/reauthenticate/code/",
    ],
    "a page of Swagger UI, shipped as its makers publish it": ["api/docs/"],
}
CODES = {("nothing-is-here/", "annotator"): 404, ("welcome/{secret}/", "anonymous"): 410}
TABLE = Path(__file__).with_name("permissions.txt")
PASSWORD = "seven green kettles"


@dataclass(frozen=True)
class Visit:
    who: str
    path: str
    url: str

    @property
    def status(self) -> int:
        return CODES.get((self.path, self.who), 200)

    def __str__(self) -> str:
        return f"{self.who} at {self.url}"


def build() -> World:
    """The world of the laws, with what spares raters set, a heavy item, and a password that can be changed."""
    there = world.build()
    chief = there.people["chief"]
    chief.set_password(PASSWORD)
    chief.save()
    set_desk(
        campaign=there.campaign,
        content_note="Some of these texts speak of grief.",
        support_contact="Call +44 20 7946 0000 by day or night.",
        break_minutes=50,
        ahead=2,
        by=chief,
    )
    there.campaign.refresh_from_db()
    for membership in Membership.objects.exclude(user=there.people["second"]).filter(role="annotator"):
        read_note(membership=membership)
    heavy = factories.lease(factories.items_of(there.campaign)[7], there.people["both"]).work_item
    flag_heavy(item=heavy, heavy=True, by=chief)
    _change_labels(there)
    there.sessions.clear()
    return there


def _change_labels(there: World) -> None:
    """A release more, with labels that are not those of the one before."""
    agreed = factories.items_of(there.campaign)[1]
    for who in ("first", "second"):
        factories.edit(Rating.objects.counted().get(work_item=agreed, annotator=there.people[who]), 4)
    publish_release(campaign=there.campaign, by=there.people["manager"])


def visits(there: World) -> Iterator[Visit]:
    for path, people in (PAGES | MORE).items():
        for who in people.split():
            yield Visit(who, path, address(there, path, who))


def asked_by_get() -> set[str]:
    """Every address that answers GET, from the table that test_permissions.py holds to the resolver; not the API's."""
    return _asked_by("GET")


def asked_by_post() -> set[str]:
    return _asked_by("POST")


def address(there: World, path: str, who: str) -> str:
    return Address(path).at(_values(there, path, who))


def _asked_by(verb: str) -> set[str]:
    rows = [line.split()[:2] for line in TABLE.read_text(encoding="utf-8").splitlines()[1:] if line.strip()]
    paths = {path.removeprefix("/") for asked, path in rows if asked == verb}
    return {path for path in paths if not path.startswith("api/v1/")}


def _values(there: World, path: str, who: str) -> Mapping[str, object]:
    user = there.people.get(who)
    own = Assignment.objects.filter(annotator=user).order_by("pk")
    state = "submitted" if "/mine/" in path else "leased"
    held = own.filter(state=state).last() or there.leases["annotator"]
    trains = "/practice/" in path
    return {
        "slug": there.campaign.dataset.slug if path.startswith("datasets") else there.campaign.slug,
        "dataset": there.campaign.dataset.slug,
        "case_id": there.cases["taken"].pk,
        "decided": there.cases["decided"].pk,
        "scenario_id": there.flagged["decided" if who == "expert" else "waiting"],
        "assignment_id": held.pk,
        "attempt_id": there.attempt.pk,
        "withdrawal_id": RatingWithdrawal.objects.earliest("pk").pk,
        "item_id": there.attempt.items[0] if trains else held.work_item_id,
        "job_id": there.job_in(path).pk,
        "user_id": there.people["first"].pk,
        "message_id": there.messages[0].pk,
        "member_id": Membership.objects.get(user=there.people["first"]).pk,
        "token_id": 1,
        "view_id": SavedView.objects.earliest("pk").pk,
        "hash": there.campaign.rubric.hash,
        "number": 1,
        "name": world.file_name(path),
        "secret": invite(user=there.people["stranger"]) if who == "stranger" else "nothing",
        "key": "nothing",
        "uidb36": "1",
        "rest": "nothing/",
    }
