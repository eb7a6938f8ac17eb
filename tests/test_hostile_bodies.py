"""Whatever is sent to whatever address, by whoever may come that far, the answer is a refusal and no server error."""

import json
import logging
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest

from tests import world
from tests.addresses import addresses
from tests.world import World

# `once`: what is refused is refused before it reaches a database, but for what the other tests try there.
pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.timeout(300)]

NAMES = (
    *(
        "values",
        "marks",
        "scores",
        "rationale",
        "text",
        "reason",
        "panel",
        "supersedes",
        "client_id",
        "campaign",
        "note",
    ),
    *("rule", "verdict", "fault", "changes", "levels", "passage", "dimension", "violation", "why", "name", "query"),
    *("from", "to", "q", "state", "sort", "spread", "cursor", "components", "languages", "beyond_share", "seen"),
)
WILD = (None, True, 2**70, "\x00", "🏳️‍🌈%_'\";--" * 400, [[]], {"": {}}, {"empathy": [1]})


@pytest.fixture
def there() -> Iterator[World]:
    logging.disable(logging.CRITICAL)
    yield world.build()
    logging.disable(logging.NOTSET)


def bodies() -> Iterator[dict]:
    yield {"data": "null", "content_type": "application/json"}
    yield {"data": "[1]", "content_type": "application/json"}
    yield {"data": '{"values": NaN, "panel": Infinity}', "content_type": "application/json"}
    for wild in WILD:
        yield {"data": json.dumps(dict.fromkeys(NAMES, wild)), "content_type": "application/json"}
    for wild in ("", "\x00", "9" * 40, "🏳️‍🌈%_'\";--" * 400):
        yield {"data": urlencode(dict.fromkeys(NAMES, wild)), "content_type": "application/x-www-form-urlencoded"}


@pytest.mark.parametrize("who", ["expert", "manager"])
def test_no_body_is_a_server_error(there, who):
    failed = []
    for address in addresses():
        if address.path.startswith(("accounts/", "api/schema", "api/docs")):
            continue  # the libraries' own
        values = next(iter(there.values_of(address, who)))
        for request in bodies():
            for method in ("POST", "PUT") if address.path.startswith("api/") else ("POST",):
                try:
                    status = there.ask(who, method, address.at(values), **request).status_code
                except Exception as error:
                    failed.append(f"{method} {address.at(values)} {request['data'][:80]}: {error!r}"[:400])
                    continue
                if status >= 500:
                    failed.append(f"{method} {address.at(values)} {request['data'][:80]}: {status}")
                if status == 405:
                    break
    assert not failed, "\n".join(failed)


@pytest.mark.parametrize("who", ["expert", "manager"])
def test_no_query_is_a_server_error(there, who):
    failed = []
    for address in addresses():
        if address.path.startswith(("accounts/", "api/schema", "api/docs")):
            continue
        values = next(iter(there.values_of(address, who)))
        for wild in ("", "\x00", "-1", "9" * 40, "1.5", "%_'\";--２🏳️‍🌈"):
            url = f"{address.at(values)}?{urlencode(dict.fromkeys(NAMES, wild))}"
            try:
                status = there.ask(who, "GET", url).status_code
            except Exception as error:
                failed.append(f"{url[:120]}: {error!r}"[:400])
                continue
            if status >= 500:
                failed.append(f"{url[:120]}: {status}")
    assert not failed, "\n".join(failed)
