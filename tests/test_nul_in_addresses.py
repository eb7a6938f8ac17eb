"""A NUL in an address: PostgreSQL takes none in a text, so no lookup may ever be made by one."""

import pytest
from django.test import Client

from tests import factories
from tests.addresses import Address, addresses

pytestmark = pytest.mark.django_db


@pytest.fixture
def client() -> Client:
    client = Client()
    client.force_login(factories.site_manager())
    return client


@pytest.mark.parametrize("address", [a for a in addresses() if a.names], ids=str)
def test_no_part_of_an_address_is_a_nul(client: Client, address: Address) -> None:
    assert client.get(address.at(dict.fromkeys(address.names, "%00"))).status_code == 404


@pytest.mark.parametrize("address", [a for a in addresses() if not a.names], ids=str)
def test_no_query_holds_a_nul(client: Client, address: Address) -> None:
    assert client.get(address.at({}) + "?q=%00&dataset=%00").status_code == 404


def test_a_program_is_told_as_a_problem(client: Client) -> None:
    answer = client.get("/api/v1/rubrics/%00/")
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
