"""Makes the screenshots of docs/: a throwaway Concord with the demo pack, each page in its looks.

./run shots                  English, light, desk; Chinese, dark, phone -> docs/screenshots/
./run shots --all DIR        every page in both languages, both themes, both widths
"""

import argparse
import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import CHROMIUM, FLAGS, WHY_NONE
from tests.throwaway import WebServer, Worker

OUT = Path(__file__).parent / "screenshots"
DESK, PHONE = (1360, 900), (390, 844)
Look = tuple[str, str, tuple[int, int]]
LOOKS: list[Look] = [("en", "light", DESK), ("zh-hans", "dark", PHONE)]
ALL_LOOKS: list[Look] = list(product(("en", "zh-hans"), ("light", "dark"), (DESK, PHONE)))

# name: (who looks, address, keys pressed there); fang and wen read Chinese.
PAGES: dict[str, tuple[str, ...]] = {
    "sign-in": ("", "/accounts/login/"),
    "home": ("ana", "/"),
    "rating": ("ana", "/campaigns/demo/rate/"),
    "rating-chinese": ("fang", "/campaigns/demo/rate/"),
    "guideline": ("ana", "/campaigns/demo/guideline/"),
    "keys": ("ana", "/campaigns/demo/rate/", "?"),
    "marking": ("ana", "/campaigns/demo/rate/", "v"),
    "missing": ("ana", "/campaigns/demo/rate/", "4 Enter"),
    "offline": ("ana", "/campaigns/demo/rate/", "OFFLINE 4 4 5 Enter"),
    "signed-out": ("chen", "/campaigns/demo/rate/", "SIGNED-OUT 4 4 5 Enter"),
    "heavy": ("dara", "/campaigns/demo/rate/"),
    "training": ("ana", "/campaigns/training/practice/"),
    "training-failed": ("gao", "/campaigns/training/practice/"),
    "content-note": ("bo", "/campaigns/demo/rate/"),
    "my-ratings": ("ana", "/campaigns/demo/mine/"),
    "messages": ("ana", "/campaigns/demo/messages/"),
    "my-hours": ("ana", "/hours/"),
    "account": ("ana", "/account/"),
    "home-expert": ("elena", "/"),
    "cases": ("elena", "/cases/"),
    "case": ("elena", "/cases/{case}/"),
    "case-divided": ("elena", "/cases/{divided}/"),
    "case-decided": ("elena", "/cases/{decided}/"),
    "case-lessons": ("elena", "/cases/{decided}/", "OPEN"),
    "home-manager": ("mira", "/"),
    "campaigns": ("mira", "/campaigns/"),
    "new-campaign": ("mira", "/campaigns/new/"),
    "campaign": ("mira", "/campaigns/demo/"),
    "desk": ("mira", "/campaigns/demo/desk/"),
    "training-manager": ("mira", "/campaigns/training/training/"),
    "people": ("mira", "/campaigns/demo/people/"),
    "conversations": ("mira", "/campaigns/demo/messages/"),
    "hours": ("mira", "/campaigns/demo/hours/"),
    "rule": ("mira", "/campaigns/demo/rule/"),
    "overlap": ("mira", "/campaigns/demo/overlap/"),
    "experts": ("mira", "/campaigns/demo/experts/"),
    "refinement": ("elena", "/campaigns/demo/refinement/"),
    "scenario": ("elena", "/campaigns/demo/refinement/{scenario}/"),
    "flag": ("chen", "/campaigns/demo/rate/{lease}/flag/"),
    "agreement": ("mira", "/campaigns/demo/agreement/"),
    "compare-agreement": ("mira", "/campaigns/demo/agreement/compare/?comparison={comparison}"),
    "rater": ("mira", "/campaigns/demo/raters/{rater}/"),
    "withdraw": ("mira", "/campaigns/demo/raters/{rater}/withdraw/"),
    "plan": ("mira", "/plan/"),
    "plan-result": ("mira", "/plan/{plan}/"),
    "releases": ("mira", "/campaigns/demo/releases/"),
    "compare": ("mira", "/campaigns/demo/releases/compare/?from=1&to=2"),
    "datasets": ("mira", "/datasets/"),
    "dataset": ("mira", "/datasets/demo/"),
    "import": ("mira", "/datasets/import/"),
}

# Signs everyone in, takes a case for elena and divides her and wen over another, computes the agreement, lets ana and
# mira talk: by the services, printed as JSON.
PREPARE = """
import json
import uuid
from dataclasses import replace
from datetime import timedelta
from django.utils import timezone
from annotation.models import Campaign, Membership, ScenarioFlag, User, WorkItem
from annotation.services.leases import lease_next
from annotation.services.messages import send_message
from reviews.services.agreement import compute_agreement
from jobs import runner
from reviews import tasks
from reviews.agreement_split import Split
from reviews.plan_reading import PlanOptions
from reviews.services.background import COMPARE_AGREEMENT, COMPARE_OVERLAPS, start, start_plan
from reviews.services.live_numbers import compute_live_agreement
from reviews.models import Case
from reviews.services.cases import take_case, take_next
from reviews.services.decisions import decide_case
from reviews.services.lessons import make_example
from reviews.services.releases import publish_release
from reviews.services.talk import say
from reviews.verdict import required_values
from tests.sessions import session_of
campaign = Campaign.objects.get(slug="demo")
Membership.objects.exclude(user__username="bo").update(note_read_at=timezone.now())
for name, heavy in (("dara", True), ("chen", False)):
    lease = lease_next(campaign=campaign, user=User.objects.get(username=name))
    WorkItem.objects.filter(pk=lease.work_item_id).update(heavy=heavy)
elena, wen = User.objects.get(username="elena"), User.objects.get(username="wen")


def judge(case, expert, level, why, **more):
    take_case(case_id=case.pk, expert=expert)
    values = dict.fromkeys(required_values(campaign.rubric, case.disputed, case.split_marks), level)
    marks = dict.fromkeys(case.split_marks, level < 3)
    decide_case(
        case_id=case.pk, expert=expert, client_id=uuid.uuid4(), values=values, marks=marks, rationale=why, **more
    )


divided = take_next(campaign=campaign, expert=elena)
judge(divided, elena, 2, "It answers the words and not the person.", panel=2)
judge(divided, wen, 4, "她先认了那份疲惫，再给建议：这正是量表第四级的意思。")
say(case_id=divided.pk, expert=wen, text="Read the second sentence again: it names the feeling before it advises.")
taught, decided = Case.objects.filter(campaign=campaign, state="decided", decisions__expert=elena).order_by("pk")[:2]
make_example(case_id=taught.pk, by=elena, why={"en": "It cheers her on and passes over what she feels."})
case = take_next(campaign=campaign, expert=elena)
flag = ScenarioFlag.objects.filter(campaign=campaign, fault="unnatural", note__contains="前一句").get()
start(campaign, COMPARE_OVERLAPS, by=User.objects.get(username="mira"))
publish_release(campaign=campaign, by=User.objects.get(username="mira"))
compute_agreement(campaign=campaign, by=User.objects.get(username="mira"))
ana, mira = User.objects.get(username="ana"), User.objects.get(username="mira")
asked = send_message(campaign=campaign, author=ana, text="A reply in the wrong language: a violation, or fluency?")
answer = "Fluency: give it a 1 or 2, and say so in the rationale."
send_message(campaign=campaign, author=mira, recipient=ana, text=answer, reply_to=asked)
send_message(campaign=campaign, author=User.objects.get(username="fang"), text="下周我不在，可以少分给我一些吗？")
compute_live_agreement(campaign=campaign)
split = Split("periods", since=timezone.now() - timedelta(days=10))
comparison = start(campaign, COMPARE_AGREEMENT, by=mira, split=split.as_json())
options = PlanOptions(scenarios=(60, 120, 300), responses=(2, 5), raters=(2, 3), width=0.05, simulations=20)
options = replace(options, distribution={1: 2, 2: 5, 3: 13, 4: 45, 5: 35}, alpha=0.6, scenario_share=0.3)
plan = start_plan(options=options.as_json(), pilot=None, by=mira)
for job in (comparison, plan):
    runner.run(job.pk)
keys = {}
for user in User.objects.filter(is_active=True):
    keys[user.username] = session_of(user)
known = {"case": case.pk, "divided": divided.pk, "decided": decided.pk, "scenario": flag.scenario_id, "lease": lease.pk}
known |= {"comparison": str(comparison.pk), "plan": str(plan.pk), "rater": User.objects.get(username="gao").pk}
print(json.dumps({"sessions": keys, **known}))
"""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--all", metavar="DIR", type=Path, help="every look, into DIR")
    options.add_argument("--only", metavar="A,B", default="", help="only these pages")
    chosen = options.parse_args()
    if not CHROMIUM:
        raise SystemExit(WHY_NONE)
    folder, looks = (chosen.all, ALL_LOOKS) if chosen.all else (OUT, LOOKS)
    folder.mkdir(parents=True, exist_ok=True)
    wanted = set(filter(None, chosen.only.split(","))) or set(PAGES)
    with WebServer() as web, Worker(web):
        web.manage("load_demo")
        known = json.loads(web.manage("shell", "--verbosity=0", "-c", PREPARE).stdout.strip().splitlines()[-1])
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            for path in _shots(browser, web.url, known, wanted, looks, folder):
                print(path.name, flush=True)
            browser.close()


def _shots(
    browser: Browser, url: str, known: dict[str, Any], wanted: set[str], looks: list[Look], folder: Path
) -> Iterator[Path]:
    for language, theme, (width, height) in looks:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=theme,  # type: ignore[arg-type]
            locale={"en": "en-GB", "zh-hans": "zh-CN"}[language],
            reduced_motion="reduce",
            has_touch=width < 600,
            is_mobile=width < 600,
        )
        page = context.new_page()
        for name in [name for name in PAGES if name in wanted]:
            who, address, *keys = PAGES[name]
            context.clear_cookies()
            if who:
                context.add_cookies([{"name": "sessionid", "value": known["sessions"][who], "url": url}])
            page.goto(url + address.format(**known), wait_until="networkidle")
            if who and "/accounts/login/" in page.url:
                raise SystemExit(f"{who} is not signed in on {address}")
            for key in " ".join(keys).split():
                if key == "OFFLINE":
                    context.set_offline(True)
                elif key == "SIGNED-OUT":
                    context.clear_cookies()
                elif key == "OPEN":
                    page.locator("details.lessons summary").first.click()
                    page.evaluate("scrollTo(0, 0)")
                else:
                    page.keyboard.press(key)
            page.wait_for_timeout(500 if keys else 0)
            path = folder / f"{name}-{language}-{theme}-{width}.png"
            # The desk and the bench hold still in the window; other pages are shown to their end.
            page.screenshot(path=path, full_page=not address.endswith("/rate/") and name != "case")
            context.set_offline(False)
            yield path
        context.close()


if __name__ == "__main__":
    main()
