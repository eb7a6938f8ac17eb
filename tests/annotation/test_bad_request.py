"""What cannot even be read is said in words: a page to a browser, a problem document to a program."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests import factories

pytestmark = pytest.mark.django_db
FORM = "application/x-www-form-urlencoded"


@pytest.fixture
def client() -> Client:
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.cookies["csrftoken"] = "c" * 32  # with it, the form is read for the token
    client.force_login(factories.site_manager())
    return client


@pytest.fixture
def trusted() -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(factories.site_manager())
    return client


def said(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


@pytest.mark.parametrize("path", ["/accounts/login/", "/account/tokens/", "/campaigns/new/"])
def test_a_form_in_another_encoding(client: Client, path: str) -> None:
    answer = client.post(path, b"a=b", content_type=f"{FORM}; charset=utf-16")
    assert answer.status_code == 400
    assert "another encoding" in said(answer)


def test_a_form_without_a_boundary(client: Client) -> None:
    answer = client.post("/datasets/import/", b"a=b", content_type="multipart/form-data")
    assert answer.status_code == 400
    assert "damaged" in said(answer)


def test_a_form_too_large(trusted: Client) -> None:
    answer = trusted.post("/account/tokens/", b"name=" + b"x" * 6_000_000, content_type=FORM)
    assert answer.status_code == 413
    assert "larger than 5 MiB" in said(answer)


def test_too_many_files(trusted: Client) -> None:
    files = [SimpleUploadedFile(f"{n}.jsonl", b"{}") for n in range(101)]
    answer = trusted.post("/datasets/import/", {"upload": files})
    assert answer.status_code == 413
    assert "At most 100 files" in said(answer)


def test_too_many_fields(trusted: Client) -> None:
    answer = trusted.post("/account/tokens/", {f"name{n}": "x" for n in range(1001)})
    assert answer.status_code == 413
    assert "at most 1000 fields" in said(answer)


def test_a_program_is_told_as_a_problem(trusted: Client) -> None:
    body = json.dumps({"name": "x" * 6_000_000})
    answer = trusted.post("/api/v1/tokens/", body, content_type="application/json")
    assert (answer.status_code, answer["Content-Type"]) == (413, "application/problem+json")
    assert "5 MiB" in answer.json()["detail"]


def test_an_address_of_another_host(client: Client) -> None:
    assert client.get("/accounts/login/", headers={"Host": "elsewhere.example"}).status_code == 400
