"""The interface speaks English and Simplified Chinese, as each person chooses."""

from pathlib import Path

import polib
import pytest
from django.test import Client
from django.urls import reverse

from tests import factories as f

CATALOGUE = Path(__file__).parent.parent / "config" / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"


@pytest.mark.pure
def test_every_message_of_the_catalogue_has_its_chinese() -> None:
    untranslated = [entry.msgid for entry in polib.pofile(str(CATALOGUE)) if not entry.translated()]
    assert not untranslated


@pytest.mark.django_db
def test_the_browser_chooses_the_language_where_the_person_has_not() -> None:
    page = Client(headers={"accept-language": "zh-CN,zh;q=0.9"}).get(reverse("account_login"))
    assert 'lang="zh-hans"' in page.text.lower()
    assert "登录" in page.text


@pytest.mark.django_db
def test_the_persons_choice_goes_before_the_browsers() -> None:
    person = f.person(language="zh-hans")
    client = Client(headers={"accept-language": "en"})
    client.force_login(person)
    assert "退出" in client.get(reverse("annotation:home")).text
    client.post(reverse("annotation:language"), {"language": "en"})
    person.refresh_from_db()
    assert person.language == "en"
    assert "Sign out" in client.get(reverse("annotation:home")).text
