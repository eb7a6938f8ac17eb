"""A campaign in which one rater differs from two others, and asking for pages about them."""

from types import SimpleNamespace

from django.http import HttpResponse

from annotation.models import User
from tests import factories as f
from tests.annotation.pages import signed_in
from tests.reviews.pages import page, post


def study_made() -> SimpleNamespace:
    """Anna rates 1, 3 and 5 for empathy where the others give (4, 5), (3, 3) and (5, 2)."""
    campaign = f.campaign(slug="study", items=4, overlap=3)
    anna, bo, chen = (f.member(campaign, user=f.person(name)) for name in ("anna", "bohumil", "chenguang"))
    items = f.items_of(campaign)
    for item, (own, first, second) in zip(items, [(1, 4, 5), (3, 3, 3), (5, 5, 2)], strict=False):
        f.rating(item, {"empathy": own}, user=anna, seconds=10 * own)
        f.rating(item, {"empathy": first}, user=bo)
        f.rating(item, {"empathy": second}, user=chen)
    manager = f.member(campaign, "manager")
    return SimpleNamespace(
        campaign=campaign, anna=anna, bo=bo, chen=chen, items=items, manager=manager, web=signed_in(manager)
    )


def shown(study: SimpleNamespace, person: User | None = None) -> str:
    answer = page(study.web, "rater", "study", (person or study.anna).pk)
    assert answer.status_code == 200
    return answer.content.decode()


def at(study: SimpleNamespace, name: str, person: User | None = None, **fields: str) -> HttpResponse:
    return post(study.web, name, "study", (person or study.anna).pk, **fields)
