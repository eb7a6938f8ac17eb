"""What a manager fills in about training and checks. The services check once more what they are given."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Campaign
from annotation.qualification import Rule, rule_of

LARGEST_FILE = 10 * 1024 * 1024
USUAL_CHECKS = {"one_in": 10, "max_difference": 1, "pause_after": 3, "window": 10}


class TrainingRuleForm(forms.Form):
    items = forms.IntegerField(label=_("Items of an attempt"), min_value=1)
    max_mean_difference = forms.FloatField(
        label=_("Largest mean difference"),
        min_value=0,
        widget=forms.NumberInput({"step": "any"}),
        help_text=_("In levels: the mean distance from the experts over all scales of all items."),
    )
    max_missed = forms.IntegerField(
        label=_("Most violations missed"),
        min_value=0,
        help_text=_("Violations that the experts marked and the annotator did not, over the whole attempt."),
    )
    attempts = forms.IntegerField(label=_("Attempts allowed"), min_value=1)
    let_in_raters = forms.BooleanField(
        label=_("Whoever has rated here before goes on without the training"), required=False, initial=True
    )

    def __init__(self, data: Any = None, *, campaign: Campaign, known: int) -> None:
        rule = rule_of(campaign.training) or Rule(items=min(Rule().items, max(known, 1)))
        super().__init__(data, initial=rule.as_json(), prefix="training")
        if campaign.training:
            del self.fields["let_in_raters"]

    @property
    def options(self) -> dict[str, Any]:
        """The arguments of `save_training_rule`."""
        cleaned = dict(self.cleaned_data)
        return {"let_in_raters": cleaned.pop("let_in_raters", False), "rule": Rule(**cleaned)}


class ChecksRuleForm(forms.Form):
    one_in = forms.IntegerField(
        label=_("One check among so many items"),
        min_value=2,
        help_text=_("On average, at places drawn at random. Nobody meets the same check twice."),
    )
    max_difference = forms.IntegerField(
        label=_("Levels off that still count as a hit"),
        min_value=0,
        help_text=_("On every scale. A violation that the experts marked and the annotator did not is a miss too."),
    )
    pause_after = forms.IntegerField(
        label=_("Pause an annotator after so many misses"), min_value=0, help_text=_("0: nobody is paused.")
    )
    window = forms.IntegerField(label=_("Among their last so many checks"), min_value=1)

    def __init__(self, data: Any = None, *, campaign: Campaign) -> None:
        super().__init__(data, initial=USUAL_CHECKS | campaign.checks, prefix="checks")

    @property
    def options(self) -> dict[str, Any]:
        """The arguments of `save_checks_rule`."""
        return {"rule": dict(self.cleaned_data)}


class AnswersForm(forms.Form):
    file = forms.FileField(label=_("File of known answers"), widget=forms.ClearableFileInput({"accept": ".jsonl"}))
    dry_run = forms.BooleanField(label=_("Only check, write nothing"), required=False)

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > LARGEST_FILE:
            raise forms.ValidationError(_("A file of known answers has at most 10 MiB."))
        return file
