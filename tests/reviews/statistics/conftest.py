"""No numpy warning may reach a person: here it fails the test."""

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if __file__.rsplit("/", 1)[0] in str(item.path):
            item.add_marker(pytest.mark.filterwarnings("error"))
