"""What the API says and hears of the refinement of scenarios, for its description."""

from rest_framework import serializers

from reviews.models import ScenarioRuling
from scenarios.models.scenario import Fault


class TaskRefined(serializers.Serializer):
    task = serializers.CharField()
    scenarios = serializers.IntegerField(help_text="In the campaign.")
    flagged = serializers.IntegerField(help_text="By an annotator, without those that you were given to rate.")
    kept = serializers.IntegerField()
    revised = serializers.IntegerField()
    withdrawn = serializers.IntegerField()
    faults = serializers.DictField(
        child=serializers.IntegerField(), help_text='Of the revised and withdrawn: {"unsafe": 2}'
    )


class FlaggedScenario(serializers.Serializer):
    scenario = serializers.IntegerField()
    task = serializers.CharField()
    language = serializers.CharField()
    people = serializers.IntegerField(allow_null=True, help_text="Null, and so what follows, where you rate here too.")
    votes = serializers.DictField(child=serializers.IntegerField(), allow_null=True)
    newest = serializers.DateTimeField(allow_null=True)


class RefinementAnswer(serializers.Serializer):
    tasks = TaskRefined(many=True)
    total = serializers.DictField(help_text="The same over all tasks.")
    flagged = FlaggedScenario(many=True, help_text="Those that no ruling answers yet.")


class ScenarioRulingRequest(serializers.Serializer):
    campaign = serializers.SlugField()
    verdict = serializers.ChoiceField(choices=ScenarioRuling.Verdict.values)
    fault = serializers.ChoiceField(choices=Fault.values, required=False, help_text="Needed unless it is kept.")
    reason = serializers.CharField()
    changes = serializers.DictField(
        required=False,
        help_text="Of a revision: the new persona, turns, memories, schedule or reference, as a file holds them.",
    )


class ScenarioRulingAnswer(serializers.Serializer):
    ruling = serializers.IntegerField()
    scenario = serializers.IntegerField()
    verdict = serializers.CharField()
    revised_to = serializers.IntegerField(allow_null=True, help_text="The new version.")
