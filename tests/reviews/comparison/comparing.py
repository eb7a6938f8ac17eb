"""Comparisons asked for and run."""

import html
import re
from datetime import UTC, datetime

from django.test import Client
from rest_framework.test import APIClient

from annotation.models import User
from jobs import runner
from jobs.models import Job
from reviews import tasks  # noqa: F401  (registers the handlers, as the worker does)
from reviews.rater_codes import rater_codes
from reviews.services.background import COMPARE_AGREEMENT
from tests.reviews.pages import post

API = "/api/v1/campaigns/study/agreement/compare/"
DAY = datetime(2026, 5, 10, tzinfo=UTC)


def client_of(user):
    client = Client()
    client.force_login(user)
    return client


def api_of(user):
    api = APIClient()
    api.force_authenticate(user)
    return api


def text(response):
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


def codes(campaign):
    """{person's name: their code}"""
    found = rater_codes(campaign)
    return {user.username: found[user.pk] for user in User.objects.filter(pk__in=found)}


def compared(client, **fields):
    answer = post(client, "compare_agreement", "study", **fields)
    assert answer.status_code == 302, text(answer)
    job = Job.objects.filter(kind=COMPARE_AGREEMENT).latest("created_at")
    assert runner.run(job.pk)
    job.refresh_from_db()
    return job
