"""The list of all pages is whole, and each is a page for whom the list names."""

import logging
from collections.abc import Iterator

import pytest

from tests import pages
from tests.world import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def there() -> Iterator[World]:
    logging.disable(logging.CRITICAL)
    yield pages.build()
    logging.disable(logging.NOTSET)


def test_every_address_that_answers_get_is_in_the_list() -> None:
    listed = set(pages.PAGES) | {path for paths in pages.NO_PAGES.values() for path in paths}
    assert pages.asked_by_get() - listed == set(), "say in tests/pages.py who looks at these"
    assert listed - pages.asked_by_get() == set(), "these are no more"


def test_each_page_is_there_for_whom_the_list_names(there: World) -> None:
    wrong = []
    for visit in pages.visits(there):
        answer = there.ask(visit.who, "GET", visit.url)
        kind = answer["Content-Type"].partition(";")[0]
        if (answer.status_code, kind) != (visit.status, "text/html"):
            wrong.append(f"{visit}: {answer.status_code} {kind} {answer.get('Location', '')}")
    assert not wrong, "\n".join(wrong)
