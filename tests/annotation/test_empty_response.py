"""A companion that said nothing: the rating page says so beside the text, which stays what was stored."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from scenarios.models import Response
from tests import factories as f

pytestmark = pytest.mark.django_db
SAID = re.compile(r'<div class="said" id="response"[^>]*>(.*?)</div>', re.DOTALL)


def rating_page(text: str) -> str:
    campaign = f.campaign(data=f.dataset(scenarios=1))
    Response.objects.update(text=text)
    client = Client()
    client.force_login(f.member(campaign))
    return client.get(reverse("annotation:rate", args=[campaign.slug])).content.decode()


@pytest.mark.parametrize("text", ["", " \n", "\u3000"])
def test_a_response_without_a_word_is_said_to_be_empty_beside_the_stored_text(text: str) -> None:
    page = rating_page(text)
    assert SAID.findall(page) == [text]
    assert "(an empty response)" in page


def test_a_response_that_says_something_is_not() -> None:
    page = rating_page("I am here.")
    assert SAID.findall(page) == ["I am here."]
    assert "(an empty response)" not in page
