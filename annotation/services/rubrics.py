"""Installing a rubric, and adding examples to a campaign's. The same content again is the same version."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import models, transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.errors import CampaignNotOpen, ExampleInvalid, ExampleRefused
from annotation.models import Campaign, Rubric, User, WorkItem
from annotation.models.rubric import content_hash
from annotation.services.campaigns import log
from annotation.services.items import locked_item, put_in_guideline
from annotation.validation import LONGEST_NOTE, can_be_stored, level_of
from scenarios.models import Response

LONGEST_PASSAGE = 600
MOST_EXAMPLES = 60  # a guideline that nobody reads to its end teaches nothing
LANGUAGES = ("en", "zh-Hans")
CHANGED = "rubric"  # the campaign's log: {"version", "was", "now": hashes, "item"}


@dataclass(frozen=True)
class Added:
    rubric: Rubric
    created: bool  # False: this very example stood there before; nothing was done


@transaction.atomic
def install_rubric(*, key: str, content: dict[str, Any]) -> Rubric:
    """The rubric with this content, made as the key's next version if it is new."""
    found = Rubric.objects.filter(hash=content_hash(content)).first()
    if found is not None:
        return found
    return _next_version(key, content, after=0)


def _next_version(key: str, content: dict[str, Any], *, after: int) -> Rubric:
    highest = Rubric.objects.filter(key=key).aggregate(highest=models.Max("version"))["highest"] or 0
    version = max(highest, after) + 1
    return Rubric.objects.create(key=key, version=version, content=content, hash=content_hash(content))


def own_line(campaign: Campaign) -> str:
    """The key of the rubric's versions that are this campaign's own; `default` stays what other studies begin with."""
    return f"guideline-{campaign.slug}"


@transaction.atomic
def add_example(*, item: WorkItem, example: Any, by: User | None = None) -> Added:
    """A passage of the item's response into the guideline of its campaign, which goes on with a new version.

    example: {"text": passage, "dimension": key or "", "level": a level, or null for "not decidable" or no dimension,
    "violation": type or "", "why": {"en": ..., "zh-Hans": ...}, one of them or both}.
    The version is of the campaign's own line, one more than the one it had; dimensions, scales and types stay. Ratings
    given so far keep theirs. The item is given to nobody any more. The caller holds the item's row lock.
    Raises ExampleInvalid by field, ExampleRefused (not settled, or its answer is asked of people), CampaignNotOpen.
    """
    # Without its rubric in the same query: PostgreSQL would lose the row where another example came in meanwhile.
    campaign = Campaign.objects.select_for_update().get(pk=item.campaign_id)
    if campaign.state == Campaign.State.CLOSED:
        raise CampaignNotOpen(_("This campaign is closed: its guideline stays as it was."))
    _refuse_what_is_asked(item)
    before = campaign.rubric
    said = read_example(rubric=before, text=item.response.text, language=item.language, example=example)
    standing = before.content.get("examples", [])
    same_words = [other.pk for other in _with_words_of(item, said["text"])]
    if said in standing:
        # Once more: whoever added it may have been cut off between the two.
        transaction.on_commit(lambda: _keep_from_raters(same_words))
        return Added(before, created=False)
    _refuse_what_others_are_asked(item, said["text"])
    if len(standing) >= MOST_EXAMPLES:
        raise ExampleRefused(_("The guideline has %(most)s examples; it takes no more.") % {"most": MOST_EXAMPLES})
    content = {**before.content, "campaign": campaign.slug, "examples": [*standing, said]}
    campaign.rubric = _next_version(own_line(campaign), content, after=before.version)
    campaign.save(update_fields=["rubric"])
    put_in_guideline(item)
    transaction.on_commit(lambda: _keep_from_raters(same_words))
    hashes = {"was": before.hash, "now": campaign.rubric.hash}
    log(campaign, CHANGED, by, version=campaign.rubric.version, item=item.pk, **hashes)
    return Added(campaign.rubric, created=True)


def _refuse_what_is_asked(item: WorkItem) -> None:
    if item.state != WorkItem.State.SETTLED:
        raise ExampleRefused(
            _("This item is not settled: who read its verdict in the guideline could still be given it to rate.")
        )
    known = WorkItem.everything.filter(campaign=item.campaign_id, response=item.response_id)
    if other := known.exclude(purpose=WorkItem.Purpose.RATING).first():
        names = {"use": other.get_purpose_display()}
        raise ExampleRefused(_("This response is %(use)s here: the guideline would give its answer away.") % names)


def _with_words_of(item: WorkItem, passage: str) -> models.QuerySet[WorkItem]:
    """Other items of the campaign whose response is the item's, or the very passage of it."""
    words = [*forms_of(item.response.text), *forms_of(passage)]
    others: models.QuerySet[WorkItem] = WorkItem.everything.filter(campaign=item.campaign_id, response__text__in=words)
    return others.exclude(pk=item.pk)


def _keep_from_raters(items: list[int]) -> None:
    """Settled ones, should they ever open again. Each by itself: who holds one lock here waits for no other."""
    for pk in items:
        with transaction.atomic():
            put_in_guideline(locked_item(pk))


def _refuse_what_others_are_asked(item: WorkItem, passage: str) -> None:
    """Companions often say the very same thing: who has read its verdict would not judge it for themselves."""
    if n := _with_words_of(item, passage).exclude(state__in=WorkItem.DONE).count():
        raise ExampleRefused(
            ngettext(
                "%(n)s other response with the same words is still asked of people here: the guideline would give its "
                "answer away.",
                "%(n)s other responses with the same words are still asked of people here: the guideline would give "
                "their answer away.",
                n,
            )
            % {"n": n}
        )


def is_given_away(campaign: Campaign, response: Response) -> bool:
    """Whether the campaign's guideline tells what to make of these very words, this response's or another's."""
    forms = forms_of(response.text)
    if any(example.get("text") in forms for example in campaign.rubric.content.get("examples", [])):
        return True
    told = WorkItem.everything.filter(campaign=campaign, in_guideline=True)
    return bool(told.filter(Q(response=response) | Q(response__text__in=forms)).exists())


def forms_of(text: str) -> set[str]:
    """It, and with either kind of line break: a form sends every one as LF, whatever stands in the response."""
    plain = text.replace("\r\n", "\n")
    return {text, plain, plain.replace("\n", "\r\n")}


def read_example(*, rubric: Rubric, text: str, language: str, example: Any) -> dict[str, Any]:
    """As it is kept in the rubric's content. Raises ExampleInvalid naming every fault."""
    if not isinstance(example, Mapping):
        raise ExampleInvalid(fields={"example": [_("Must be an object.")]})
    faults: dict[str, list[str]] = {}
    said = {
        "text": _passage(text, example.get("text"), faults),
        "language": language,
        "dimension": _one_of([one.key for one in rubric.dimensions], "dimension", example.get("dimension"), faults),
        "level": example.get("level"),
        "violation": _one_of(
            [one.key for one in rubric.violation_types], "violation", example.get("violation"), faults
        ),
        "why": _why(example.get("why"), faults),
    }
    if not faults and not said["dimension"] and not said["violation"]:
        faults["dimension"] = [_("Say what it is an example of: a scale, a violation or both.")]
    scale = next((one for one in rubric.dimensions if one.key == said["dimension"]), None)
    if said["level"] is not None and (scale is None or level_of(scale, said["level"]) is None):
        faults["level"] = [_("Must be a level of the scale that it is an example of.")]
    if faults:
        raise ExampleInvalid(fields=faults)
    return said


def _passage(text: str, given: Any, faults: dict[str, list[str]]) -> str:
    if not isinstance(given, str) or not given.strip():
        faults["text"] = [_("Choose a passage of the response.")]
        return ""
    if len(given) > LONGEST_PASSAGE:
        faults["text"] = [_("Longer than %(most)s characters.") % {"most": LONGEST_PASSAGE}]
    elif all(given not in form for form in forms_of(text)):
        faults["text"] = [_("This does not stand in the response as it is written here.")]
    return given


def _one_of(known: list[str], field: str, given: Any, faults: dict[str, list[str]]) -> str:
    if given in (None, ""):
        return ""
    if given not in known:
        faults[field] = [_("The rubric has no such scale or violation.")]
        return ""
    return str(given)


def _why(given: Any, faults: dict[str, list[str]]) -> dict[str, str]:
    texts = given if isinstance(given, Mapping) else {}
    if any(not isinstance(why, str) or len(why) > LONGEST_NOTE or not can_be_stored(why) for why in texts.values()):
        faults["why"] = [_("Must be text of at most %(most)s characters.") % {"most": LONGEST_NOTE}]
        return {}
    said = {language: texts[language].strip() for language in LANGUAGES if texts.get(language, "").strip()}
    if not said or texts.keys() - set(LANGUAGES):
        faults["why"] = [_("Say why, in English, in Chinese or in both.")]
    return said
