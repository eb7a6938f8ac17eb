"""What a manager fills in: a new campaign, a person to add. The services check once more what they are given."""

import re
from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from annotation.models import Campaign, Membership
from annotation.models.campaign import default_rule
from annotation.services.campaigns import RESERVED, Selection, selected_responses
from annotation.views.sent import typed
from scenarios.benchmark import LANGUAGES, TASKS, Component, Condition
from scenarios.models import Dataset

PARTS = ("tasks", "companions", "conditions", "languages")
NEVER = "never"


def _level(chosen: str) -> int | None:
    return None if chosen == NEVER else int(chosen)


class CampaignForm(forms.Form):
    """A new campaign over one dataset; the choices are what the dataset holds."""

    title = forms.CharField(label=_("Title"), max_length=200)
    slug = forms.SlugField(
        label=_("Short name"),
        max_length=60,
        required=False,
        help_text=_("Stands in addresses and commands: a-z, 0-9 and hyphens. Left empty, it is made from the title."),
    )
    tasks = forms.MultipleChoiceField(label=_("Tasks"), required=False, widget=forms.CheckboxSelectMultiple)
    companions = forms.MultipleChoiceField(label=_("Companions"), required=False, widget=forms.CheckboxSelectMultiple)
    conditions = forms.MultipleChoiceField(label=_("Conditions"), required=False, widget=forms.CheckboxSelectMultiple)
    languages = forms.MultipleChoiceField(label=_("Languages"), required=False, widget=forms.CheckboxSelectMultiple)
    sample = forms.IntegerField(
        label=_("Sample size"),
        min_value=1,
        required=False,
        help_text=_("So many responses, drawn at random. Left empty, all are taken."),
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=0,
        max_value=2**63 - 1,
        help_text=_("The same seed draws the same sample, order and audit again."),
    )
    overlap = forms.IntegerField(
        label=_("Raters an item"),
        min_value=1,
        max_value=50,
        initial=3,
        help_text=_("How many people rate each response, independently. Agreement needs two or more."),
    )
    range = forms.TypedChoiceField(
        label=_("Scores of one dimension apart by"),
        choices=[
            ("1", _("1 level or more")),
            ("2", _("2 levels or more")),
            ("3", _("3 levels or more")),
            (NEVER, _("never")),
        ],
        coerce=_level,
    )
    safety_at_most = forms.TypedChoiceField(
        label=_("Any safety score of"),
        choices=[("1", _("1")), ("2", _("2 or less")), ("3", _("3 or less")), (NEVER, _("never"))],
        coerce=_level,
    )
    marks_split = forms.BooleanField(label=_("A violation marked by some raters but not by all"), required=False)
    asked = forms.BooleanField(label=_("A rater asks for an expert"), required=False)
    audit_percent = forms.DecimalField(
        label=_("Audit, percent"),
        min_value=0,
        max_value=100,
        decimal_places=2,
        help_text=_("This share of the agreed items goes to an expert too, to measure how often agreement errs."),
    )
    content_note = forms.CharField(
        label=_("Content note"),
        required=False,
        max_length=2000,
        widget=forms.Textarea({"rows": 3}),
        help_text=_("Shown to raters before they begin: what they may meet, and whom to turn to."),
    )

    def __init__(self, *args: Any, dataset: Dataset, **more: Any) -> None:
        super().__init__(*args, **more)
        self.dataset = dataset
        rule = default_rule()
        audit_percent = rule.pop("audit_share") * 100
        self.initial = {
            **rule,
            "audit_percent": f"{audit_percent:g}",
            "seed": timezone.localdate().strftime("%Y%m%d"),
            **self.initial,
        }
        held = {part: _held(dataset, column) for part, column in _COLUMNS.items()}
        tasks = [key for key in TASKS if key in held["tasks"]]
        self.task_components = [TASKS[key].component for key in tasks]
        choices: dict[str, list[tuple[str, Any]]] = {
            "tasks": [(key, TASKS[key].name) for key in tasks],
            "companions": [(name, name) for name in held["companions"]],
            "conditions": [(key, label) for key, label in Condition.choices if key in held["conditions"]],
            "languages": [(tag, LANGUAGES.get(tag, tag)) for tag in held["languages"]],
        }
        for part in PARTS:
            self.fields[part].choices = choices[part]  # type: ignore[attr-defined]

    @property
    def task_groups(self) -> Iterator[tuple[Any, list[Any]]]:
        """The boxes of the tasks, by component."""
        boxes = list(zip(self.task_components, self["tasks"].subwidgets, strict=True))
        for component in Component:
            if found := [box for of, box in boxes if of == component]:
                yield component.label, found

    @property
    def selection(self) -> Selection:
        """What is chosen so far; also of a form that is not valid yet, or not sent."""
        cleaned = getattr(self, "cleaned_data", {})
        return Selection(**{part: cleaned.get(part) or () for part in PARTS}, sample=cleaned.get("sample"))

    def clean_slug(self) -> str:
        given: str = self.cleaned_data["slug"]
        return given or free_slug(self.cleaned_data.get("title", ""), self.dataset)

    @property
    def options(self) -> dict[str, Any]:
        """The arguments of `create_campaign`."""
        cleaned = self.cleaned_data
        rule = {name: cleaned[name] for name in ("range", "safety_at_most", "marks_split", "asked")}
        return {
            **{name: cleaned[name] for name in ("title", "slug", "seed", "overlap", "content_note")},
            "dataset": self.dataset,
            "selection": self.selection,
            "rule": {**rule, "audit_share": float(cleaned["audit_percent"]) / 100},
        }


_COLUMNS = {
    "tasks": "scenario__task",
    "companions": "companion__name",
    "conditions": "condition",
    "languages": "scenario__language",
}


def _held(dataset: Dataset, column: str) -> list[str]:
    """The different values that the dataset's current responses have in this column."""
    return sorted(selected_responses(dataset, Selection()).order_by().values_list(column, flat=True).distinct())


def free_slug(title: str, dataset: Dataset) -> str:
    """A short name that no campaign has: of the title, or of the dataset where the title has no Latin letter."""
    base = slugify(title).replace("_", "-").strip("-")[:50].strip("-") or slugify(dataset.slug)[:50]
    base = re.sub(r"-{2,}", "-", base).lower()
    taken = {*RESERVED} | set(Campaign.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    number, slug = 1, base
    while slug in taken:
        number += 1
        slug = f"{base}-{number}"
    return slug


class DeskForm(forms.Form):
    """How raters meet a campaign's items (services/care.py)."""

    content_note = forms.CharField(
        label=_("Content note"),
        required=False,
        max_length=2000,
        widget=forms.Textarea({"rows": 4}),
        help_text=_(
            "Read by every rater before their first item: what they may meet. A change is read by everyone once more."
        ),
    )
    support_contact = forms.CharField(
        label=_("Support contact"),
        required=False,
        max_length=2000,
        widget=forms.Textarea({"rows": 3}),
        help_text=_("Whom to turn to, one click from the desk: a name, a telephone number, an address."),
    )
    break_minutes = forms.IntegerField(
        label=_("Offer a break after so many minutes"),
        min_value=0,
        max_value=240,
        help_text=_("Of active work, between two items; whoever wants to goes on. 0: never."),
    )
    ahead = forms.IntegerField(
        label=_("Items leased ahead"),
        min_value=0,
        max_value=5,
        help_text=_(
            "Beside the item in hand, 0 to 5. The next one is there at once, and with more a lost network does not "
            "stop the work; others cannot have them meanwhile."
        ),
    )

    def __init__(self, *args: Any, campaign: Campaign, **more: Any) -> None:
        super().__init__(*args, **more)
        self.initial = {**{name: getattr(campaign, name) for name in self.fields}, **self.initial}

    def clean(self) -> dict[str, Any]:
        """Forms send every line break as CR LF, whatever was typed."""
        cleaned = super().clean() or {}
        return {name: typed(value) if isinstance(value, str) else value for name, value in cleaned.items()}


class PersonForm(forms.Form):
    """Somebody to bring into a campaign: known by the sign-in name, or new."""

    username = forms.CharField(
        label=_("Sign-in name"),
        max_length=150,
        help_text=_("Of someone who is here already, or of a new person: letters, digits and @ . + - _"),
    )
    display_name = forms.CharField(label=_("Name"), max_length=150, required=False)
    email = forms.EmailField(label=_("E-mail"), required=False)
    role = forms.ChoiceField(
        label=_("Role"),
        choices=Membership.Role.choices,
        initial=Membership.Role.ANNOTATOR,
        widget=forms.RadioSelect,
    )
    languages = forms.MultipleChoiceField(
        label=_("Languages they rate in"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("None chosen: all."),
    )
    share = forms.IntegerField(
        label=_("At most so many items"),
        min_value=1,
        max_value=2_000_000,
        required=False,
        help_text=_("Empty: no limit."),
    )

    def __init__(self, *args: Any, campaign: Campaign, **more: Any) -> None:
        super().__init__(*args, **more)
        tags = campaign.items.order_by().values_list("language", flat=True).distinct()
        self.fields["languages"].choices = [(tag, LANGUAGES.get(tag, tag)) for tag in sorted(tags)]  # type: ignore[attr-defined]
