"""The whole journey, as people make it: a real server and worker, real browsers, real files where they are there.

A manager imports and makes a campaign; three annotators come in by their links and rate until an item disagrees; an
expert decides it; agreement is computed; a release is published and downloaded, and holds just those numbers.
"""

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.throwaway import WebServer, Worker

ROOT = Path(__file__).resolve().parents[2]
RELEASED = ROOT.parent / "shared" / "data" / "h2htalk"
PACK = ROOT / "fixtures" / "demo"
PASSWORD = "a long walk by the harbour"
DIMENSIONS = ("empathy", "fluency", "safety")
# By rater, for the item that is disputed (empathy ends two levels apart) and the other, whichever comes first to whom.
SCORES = {"ada": ["443", "555"], "ben": ["444", "554"], "cho": ["244", "555"]}

pytestmark = [pytest.mark.servers, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def site() -> Iterator[WebServer]:
    with WebServer() as web, Worker(web):
        web.environment["DJANGO_SUPERUSER_PASSWORD"] = PASSWORD
        web.manage("createsuperuser", "--noinput", "--username", "boss", "--email", "boss@example.org")
        yield web


@pytest.fixture
def people(browser: Browser) -> Iterator[dict[str, BrowserContext]]:
    """A browser of their own for each who takes part."""
    contexts = {name: browser.new_context(locale="en-GB") for name in ("boss", *SCORES, "eva")}
    for context in contexts.values():
        context.set_default_timeout(15_000)
    yield contexts
    for context in contexts.values():
        context.close()


def import_files(page: Page, site: WebServer, kind: str, files: list[Path], companion: str = "") -> None:
    page.goto(f"{site.url}/datasets/import/?kind={kind}")
    page.get_by_label("Dataset", exact=True).fill("study")
    if companion:
        page.get_by_label("Companion").fill(companion)
    page.get_by_label("Files", exact=True).set_input_files(files)
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("in dataset study")).to_be_visible(timeout=60_000)


def invite(page: Page, site: WebServer, username: str, role: str) -> str:
    page.goto(f"{site.url}/campaigns/round-one/people/")
    page.get_by_label("Sign-in name").fill(username)
    page.get_by_role("radio", name=role).check()
    page.get_by_role("button", name="Add the person").click()
    expect(page.get_by_text(f"The one-time link of {username}")).to_be_visible()
    link = re.search(r"https?://[^\s\"<]+/welcome/[^\s\"</]+/", page.content())
    assert link, "the one-time link is shown"
    return link[0]


def come_in(context: BrowserContext, link: str) -> Page:
    page = context.new_page()
    page.goto(link)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="come in").click()
    return page


def rate(page: Page, site: WebServer, scores: list[str], disputed: str) -> str:
    """By keyboard alone: three digits and Enter an item. Returns the disputed text: the first, where none was yet."""
    page.goto(f"{site.url}/campaigns/round-one/rate/")
    for done in range(2):
        expect(page.locator("#rate-count")).to_contain_text(f"{done} / 2 rated")
        expect(page.get_by_role("radio", name="1", exact=True).first).to_be_focused()
        text = page.locator("#response").inner_text()
        disputed = disputed or text
        for level in scores[0 if text == disputed else 1]:
            page.keyboard.press(level)
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Nothing is left for you just now")).to_be_visible()
    return disputed


def rows_of(page: Page, site: WebServer, name: str) -> str:
    answer = page.request.get(f"{site.url}/campaigns/round-one/releases/1/{name}")
    assert answer.ok, answer.status
    return answer.body().decode("utf-8-sig")


def test_from_files_to_a_release(site: WebServer, people: dict[str, BrowserContext]) -> None:
    boss = people["boss"].new_page()
    boss.goto(f"{site.url}/accounts/login/")
    boss.get_by_label("Username").fill("boss")
    boss.get_by_label("Password").fill(PASSWORD)
    boss.get_by_role("button", name="Sign in").click()

    # Files in.
    if RELEASED.is_dir():
        released = sorted(RELEASED.glob("*.jsonl"))
        import_files(boss, site, "scenarios", released)
        import_files(boss, site, "responses", released, companion="Released model")
    else:
        import_files(boss, site, "scenarios", [PACK / "scenarios.jsonl"])
        import_files(boss, site, "responses", [PACK / "responses.jsonl"])

    # A campaign of two items, three raters each, no audit by chance.
    boss.goto(f"{site.url}/campaigns/new/")
    boss.get_by_label("Title").fill("Round one")
    boss.get_by_label("Sample size").fill("2")
    boss.get_by_label("Audit, percent").fill("0")
    boss.get_by_role("button", name="Make the campaign").click()
    boss.wait_for_url("**/campaigns/round-one/")
    links = {name: invite(boss, site, name, "annotator") for name in SCORES}
    links["eva"] = invite(boss, site, "eva", "expert")
    boss.goto(f"{site.url}/campaigns/round-one/")
    boss.get_by_role("link", name="Open the campaign").click()
    boss.get_by_role("button", name="Open it").click()
    expect(boss.get_by_text("0 of 6 ratings")).to_be_visible()

    # Three rate, each alone.
    disputed = ""
    for name, scores in SCORES.items():
        disputed = rate(come_in(people[name], links[name]), site, scores, disputed)

    # One item differs, one does not: an expert decides that one.
    eva = come_in(people["eva"], links["eva"])
    eva.goto(f"{site.url}/campaigns/round-one/cases/")
    eva.get_by_role("button", name="Take next").click()
    expect(eva.get_by_role("heading", name="Your decision")).to_be_visible()
    eva.get_by_role("group", name="Empathy").get_by_role("radio", name="3", exact=True).check()
    eva.get_by_role("button", name="Decide, then stop").click()
    expect(eva.get_by_role("status").filter(has_text="Decided.")).to_be_visible()

    # Agreement, then a release.
    boss.goto(f"{site.url}/campaigns/round-one/agreement/")
    boss.get_by_role("button", name="Compute").click()
    expect(boss.get_by_role("heading", name=re.compile("Do 3 people agree"))).to_be_visible(timeout=60_000)
    boss.goto(f"{site.url}/campaigns/round-one/releases/")
    boss.get_by_role("button", name="Make a release").click()
    expect(boss.get_by_role("heading", name="Release 1")).to_be_visible(timeout=60_000)

    # It holds just those numbers.
    ratings = [json.loads(line) for line in rows_of(boss, site, "ratings.jsonl").splitlines()]
    given = sorted(int(level) for scores in SCORES.values() for levels in scores for level in levels)
    assert sorted(row["value"] for row in ratings) == given
    assert {row["status"] for row in ratings} == {"counted"}
    assert not {"ada", "ben", "cho"} & {row["rater"] for row in ratings}
    gold = {
        (row["item_id"], row["dimension"]): row for row in csv.DictReader(io.StringIO(rows_of(boss, site, "gold.csv")))
    }
    assert len(gold) == 6
    disputed = next(item for (item, _dimension), row in gold.items() if row["method"] == "adjudicated")
    values = {item: [float(gold[item, key]["value"]) for key in DIMENSIONS] for item, _dimension in gold}
    assert values.pop(disputed) == [3, 4, 4]
    assert list(values.values()) == [[5, 5, 5]]
    assert [row["method"] for row in gold.values()].count("adjudicated") == 1
    agreement = json.loads(rows_of(boss, site, "agreement.json"))
    assert agreement["dimensions"]["empathy"]["ratings"] == 6
    manifest = json.loads(rows_of(boss, site, "manifest.json"))
    assert manifest["counts"]["items_with_gold"] == 2

    # The command gives the same release, byte for byte.
    site.manage("export_gold", "--campaign", "round-one", "--out", str(site.folder / "out"))
    for name in ("gold.csv", "ratings.jsonl", "manifest.json"):
        assert (site.folder / "out" / name).read_bytes().decode("utf-8-sig") == rows_of(boss, site, name)
