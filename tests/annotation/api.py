"""Asking the annotation room's API, with a token."""

import json
import uuid

from rest_framework.test import APIClient

from annotation.services.people import make_token

GOOD = {"empathy": 4, "fluency": 5, "safety": 3}


def client_of(user):
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {make_token(user=user, name='test')}")
    return client


def post(api, path, body=None):
    return api.post(f"/api/v1/{path}", body or {}, format="json")


def rate(api, leased, **given):
    body = {"client_id": str(uuid.uuid4()), "scores": GOOD} | given
    return post(api, f"assignments/{leased['assignment']}/rating/", body)


def assert_problem(answer, status, *fields):
    """RFC 9457: the media type, the title, one sentence, and the fields at fault."""
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"
    body = json.loads(answer.content)
    assert body["status"] == status
    assert body["title"]
    assert isinstance(body["detail"], str)
    assert body["detail"]
    assert sorted(body["fields"]) == sorted(fields)
    return body
