"""The interface speaks English and Simplified Chinese, as each person chooses."""

import json
import logging
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import polib
import pytest
from django.apps import apps
from django.db.models import CharField, TextField
from django.template import Context, Template
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.html import strip_tags

from annotation.models import Assignment, Rubric, User
from jobs.models import Job
from scenarios.models import Response
from tests import factories as f
from tests import pages
from tests.visible import said_by
from tests.world import COMPANION, KEY, REFERENCE, World

SCRIPTS = Path(__file__).parent.parent / "static" / "js"
CATALOGUE = Path(__file__).parent.parent / "config" / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"

pytestmark = pytest.mark.once  # the words are the same whatever the rows are kept in


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


# Names of things, and what is the same in every language.
SAME = {
    *("Concord", "API", "JSON", "JSONL", "CSV", "UTF", "UTC", "ISO", "ID", "URL", "NUL", "SHA", "English"),
    *("ICC", "AC", "SAP", "sap", "no_sap", "Celery", "PostgreSQL", "SQLite", "Parquet", "Croissant", "SVG", "PNG"),
}
WORD = re.compile(r"[A-Za-z][A-Za-z_]+")
# Placeholders that scripts fill, names of files, texts cut short, names of formats with the field that tells them.
NO_WORDS = re.compile(
    r"\{\w+\}|\w+\.(?:jsonl|json|csv|parquet|md)\b|“[^”]*(?:…|\.\.\.)”"
    r"|H2HTalk \(TASK.jsonl\)|Chat JSONL \(messages\)|ShareGPT \(conversations\)"
)
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}|</?\w[^>]*>|&\w+;")
# Of a JSON answer: what scripts and programs read.
NOT_READ = {
    "type",
    "title",
    "status",
    "state",
    "expires_at",
    "client_id",
    "submitted_at",
    "saved_at",
    "href",
    "next",
    "csrf",
}
# What Chinese writes in Latin letters too.
AND_IN_CHINESE = {
    *(
        "alpha",
        "kappa",
        "Kappa",
        "Krippendorff",
        "Gwet",
        "Email",
        "email",
        "token",
        "KB",
        "MB",
        "BCa",
        "Dawid",
        "Skene",
    ),
    *("Tab", "Enter", "heavy", "use", "training", "check"),  # names of keys, of a tag, of what a file may say
}
WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}


def widened(message: object) -> str:
    """The message as if translated: its letters full-width, its placeholders and tags as they were."""
    text, out, end = str(message), "", 0
    for kept in PLACEHOLDER.finditer(text):
        out += text[end : kept.start()].translate(WIDE) + kept[0]
        end = kept.end()
    return out + text[end:].translate(WIDE)


@pytest.fixture
def pretended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every message that is asked for by gettext comes back in full-width letters, whatever the catalogue holds."""
    trans = translation._trans
    monkeypatch.setattr(trans, "gettext", widened)
    monkeypatch.setattr(trans, "ngettext", lambda one, many, number: widened(one if number == 1 else many))
    monkeypatch.setattr(trans, "pgettext", lambda context, message: widened(message))
    monkeypatch.setattr(trans, "npgettext", lambda context, one, many, number: widened(one if number == 1 else many))


@pytest.fixture
def there() -> Iterator[World]:
    """The world of all pages, everyone in it reading Chinese."""
    logging.disable(logging.CRITICAL)
    made = pages.build()
    User.objects.update(language="zh-hans")
    yield made
    logging.disable(logging.NOTSET)


def content() -> list[str]:
    """What people wrote, and the names they gave: in whatever language it is, it stays so. The longest first."""
    found = {COMPANION, REFERENCE, KEY, *Rubric.objects.values_list("key", flat=True)}
    found |= set(Job.objects.values_list("error", flat=True))
    found |= {response.item_id for response in Response.objects.select_related("scenario", "companion")}
    for model in apps.get_models():
        if model._meta.app_label in ("annotation", "scenarios", "reviews") and model is not Rubric:
            names = [f.name for f in model._meta.fields if isinstance(f, CharField | TextField) and not f.choices]
            for row in model._base_manager.values_list(*names):
                found |= {line.strip() for value in row if value for line in str(value).splitlines()}
    return sorted((text for text in found if WORD.search(text)), key=len, reverse=True)


def is_english(text: str, content: list[str], same: set[str] = SAME) -> bool:
    """Whether it says anything in Latin words, content and names of things apart."""
    rest = NO_WORDS.sub(" ", text)
    for written in content:
        rest = rest.replace(written, " ")
    whole = set(WORD.findall(text)) - same  # what is left of a word that content was cut out of is none
    return any(word in whole for word in WORD.findall(rest))


def english_of_pages(there: World, same: set[str] = SAME) -> list[str]:
    """Each text once, with the page where it was first seen."""
    written, found = content(), dict[str, str]()
    for visit in pages.visits(there):
        client = Client(headers={"accept-language": "zh-CN"})
        client.cookies.load(there.cookies_of(visit.who))
        for where, text in said_by(client.get(visit.url).text):
            if is_english(text, written, same):
                found.setdefault(f"<{where}> {text}", str(visit))
    return [f"{line}   ({visit})" for line, visit in found.items()]


def strings_in(said: object, key: str = "") -> Iterator[str]:
    """What a JSON answer holds for a person to read, parts of pages read as pages."""
    if isinstance(said, dict):
        for name, value in said.items():
            yield from strings_in(value, name)
    elif isinstance(said, list):
        for value in said:
            yield from strings_in(value, key)
    elif isinstance(said, str) and key not in NOT_READ:
        yield from (text for _where, text in said_by(said)) if "<" in said else [said]


@pytest.mark.django_db
def test_no_page_says_anything_that_cannot_be_translated(there: World, pretended: None) -> None:
    """Whatever the catalogue holds: a text outside gettext stays as it is, and is found."""
    found = english_of_pages(there)
    assert not found, "\n".join(found)


@pytest.mark.django_db
def test_no_answer_to_a_form_or_a_script_says_anything_that_cannot_be_translated(there: World, pretended: None) -> None:
    """Refusals too: nothing sent, and something wrong in every field."""
    written, found, read = [*Assignment.SkipReason.values, *content()], dict[str, str](), 0
    wrong = "scores=x&marks=%7B&reason=x&client_id=x&text=&name=&state=x&seconds=x&score.empathy=9&known=%7B"
    for who in ("annotator", "expert", "manager", "site_manager"):
        for path in sorted(pages.asked_by_post()):
            for body, kind in product(("", wrong), ("application/json", "text/html")):
                answer = there.ask(
                    who,
                    "POST",
                    pages.address(there, path, who),
                    data=body,
                    content_type="application/x-www-form-urlencoded",
                    headers={"Accept": kind, "Accept-Language": "zh-CN"},
                )
                if "json" in answer.get("Content-Type", ""):
                    texts = list(strings_in(json.loads(answer.content)))
                else:
                    texts = [text for _where, text in said_by(answer.text)]
                read += len(texts)
                for text in texts:
                    if is_english(text, written):
                        found.setdefault(text, f"{who}: POST {path} {body}")
    assert read > 500
    assert not found, "\n".join(f"{text}   ({asked})" for text, asked in found.items())


@pytest.mark.pure
def test_no_script_holds_a_sentence() -> None:
    """What scripts say comes from the page (js/parts/words.js), where it is translated."""
    sentence = re.compile(r"""(["'`])[A-Z][a-z]+(?: [A-Za-z’',]+)+[.!?…]?\1""")
    found = [
        f"{file.relative_to(SCRIPTS)}: {line.strip()}"
        for file in sorted(SCRIPTS.rglob("*.js"))
        for line in file.read_text(encoding="utf-8").splitlines()
        if sentence.search(line) and "new Error(" not in line and not line.lstrip().startswith("//")
    ]
    assert not found


@pytest.mark.django_db
def test_no_page_says_anything_in_english_to_a_chinese_reader(there: World) -> None:
    found = english_of_pages(there, SAME | AND_IN_CHINESE)
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("language", "shown"),
    [
        ("en", ["2 Dec 2026", "2 Dec 2026, 09:05 UTC", "1,234,567"]),
        ("zh-hans", ["2026年12月2日", "2026年12月2日, 09:05 UTC"]),
    ],
)
def test_dates_and_numbers_are_written_as_the_language_does(language: str, shown: list[str]) -> None:
    moment = datetime(2026, 12, 2, 9, 5, tzinfo=UTC)
    with translation.override(language):
        page = Template("{% load concord humanize %}{{ t|moment:'date' }} | {{ t|moment }} | {{ n|intcomma }}")
        text = strip_tags(page.render(Context({"t": moment, "n": 1234567})))
    assert text.split(" | ")[: len(shown)] == shown


@pytest.mark.parametrize(
    ("language", "one", "many"),
    [("en", "1 item is settled", "0 items are settled"), ("zh-hans", "1 个条目已有定论", "0 个条目已有定论")],
)
def test_plurals_are_those_of_the_language(language: str, one: str, many: str) -> None:
    with translation.override(language):
        said = [
            translation.ngettext("%(n)s item is settled", "%(n)s items are settled", n) % {"n": n} for n in (1, 0, 2)
        ]
    assert said == [one, many, many.replace("0", "2")]


@pytest.mark.pure
def test_no_message_stands_inside_an_f_string() -> None:
    """It would be asked for in the catalogue, and never be found for it."""
    inside = re.compile(r"""\bf(["']).*\{n?p?(?:_|gettext)\(""")
    rooms = ("annotation", "config", "jobs", "reviews", "scenarios")
    root = CATALOGUE.parents[4]
    files = [file for room in rooms for file in (root / room).rglob("*.py")]
    found = [
        str(file) for file in files for line in file.read_text(encoding="utf-8").splitlines() if inside.search(line)
    ]
    assert len(files) > 100
    assert not found
