"""The shapes of requests and answers, for the OpenAPI description. Services read and check; these only describe."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers


class ReasonSchema(serializers.Serializer):
    kind = serializers.CharField(help_text="safety, marks_split, range, asked, reopened or audit")
    dimension = serializers.CharField(allow_null=True)
    words = serializers.CharField(help_text="In the reader's language.")


class CaseRow(serializers.Serializer):
    case = serializers.IntegerField()
    campaign = serializers.CharField()
    state = serializers.CharField(help_text="waiting, mine, several (experts judge it), taken (by another) or decided")
    component = serializers.CharField()
    task = serializers.CharField()
    language = serializers.CharField()
    opened_at = serializers.DateTimeField()
    turn = serializers.CharField(help_text="Of several: opinion (yours is wanted), settle (with the others), or empty.")
    urgent = serializers.BooleanField()
    reasons = ReasonSchema(many=True)
    dimensions = serializers.ListField(child=serializers.CharField(), help_text="Those that a reason names.")
    spread = serializers.IntegerField(help_text="The widest range of scores among all dimensions, in levels.")
    conflict = serializers.BooleanField(help_text="You were given the item to rate: you cannot take it.")
    knows_reference = serializers.BooleanField(help_text="You have read its reference: you cannot take it.")
    lease_until = serializers.DateTimeField(allow_null=True)


class CasePage(serializers.Serializer):
    results = CaseRow(many=True)
    next = serializers.CharField(allow_null=True, help_text="Cursor of the next page.")


class VoiceSchema(serializers.Serializer):
    rater = serializers.CharField(help_text="A, B, C: a pseudonym of this item alone.")
    scores = serializers.DictField(child=serializers.IntegerField())
    marks = serializers.ListField(child=serializers.DictField())
    notes = serializers.ListField(child=serializers.DictField(), help_text="Remarks on passages; no violations.")
    rationale = serializers.CharField()
    seconds = serializers.IntegerField(allow_null=True)
    hurried = serializers.BooleanField()
    needs_expert = serializers.BooleanField()
    rubric = serializers.IntegerField(help_text="Version of the guideline that it was given on.")


class CaseItem(serializers.Serializer):
    language = serializers.CharField()
    task_name = serializers.CharField()
    persona = serializers.CharField()
    memories = serializers.ListField(child=serializers.DictField())
    schedule = serializers.ListField(child=serializers.DictField())
    turns = serializers.ListField(child=serializers.DictField())
    text = serializers.CharField()
    heavy = serializers.BooleanField(help_text="Hard to read; its raters were told so before they saw it.")


class CaseAnswer(serializers.Serializer):
    case = serializers.IntegerField()
    campaign = serializers.CharField()
    state = serializers.CharField(help_text="waiting, taken, decided, second_opinion or fallen")
    task = serializers.CharField()
    language = serializers.CharField()
    stage = serializers.CharField(help_text="Where several experts judge it: awaited, or to_settle; else empty.")
    opened_at = serializers.DateTimeField()
    urgent = serializers.BooleanField()
    reasons = ReasonSchema(many=True)
    mine = serializers.BooleanField()
    may_take = serializers.BooleanField()
    lease_until = serializers.DateTimeField(allow_null=True)
    required = serializers.DictField(  # type: ignore[assignment]
        help_text='What a decision must hold: {"values": [...], "marks": [...]}'
    )
    item = CaseItem(allow_null=True, help_text="Null, and so what follows, before you take the case.")
    ratings = VoiceSchema(many=True, allow_null=True)
    decisions = serializers.ListField(child=serializers.DictField(), allow_null=True)
    talk = serializers.ListField(child=serializers.DictField(), allow_null=True)
    origin = serializers.DictField(allow_null=True, help_text="Companion, condition, key, once it is closed.")


class NextCaseRequest(serializers.Serializer):
    campaign = serializers.SlugField(required=False, help_text="Without it: over all campaigns you are an expert of.")
    beyond_share = serializers.BooleanField(required=False, help_text="True: also what is not dealt to you.")


class LeaseOfCase(serializers.Serializer):
    case = serializers.IntegerField()
    state = serializers.CharField()
    lease_until = serializers.DateTimeField(allow_null=True)


@extend_schema_field({"oneOf": [{"type": "integer"}, {"type": "string", "enum": ["ambiguous"]}]})
class ValueField(serializers.Field):
    """A level, or "ambiguous"."""

    def to_representation(self, value: Any) -> Any:
        return value

    def to_internal_value(self, data: Any) -> Any:
        return data


class DecisionRequest(serializers.Serializer):
    client_id = serializers.UUIDField(help_text="Made by the client; sending it twice saves once.")
    values = serializers.DictField(child=ValueField(), help_text='{"safety": 2, "empathy": "ambiguous"}')
    marks = serializers.DictField(child=serializers.BooleanField(), required=False, help_text='{"dependence": true}')
    rationale = serializers.CharField(required=False)
    quick_reason = serializers.CharField(required=False, help_text="misread, guideline, slip, ambiguity or other")
    supersedes = serializers.IntegerField(required=False, allow_null=True, help_text="Your own decision.")
    panel = serializers.IntegerField(
        required=False, allow_null=True, help_text="Ask for second opinions: so many experts in all, 2 to 5."
    )


class DecisionAnswer(serializers.Serializer):
    decision = serializers.IntegerField()
    case = serializers.IntegerField()
    kind = serializers.CharField(help_text="ruling, or opinion where several experts judge the case")


class RemarkRequest(serializers.Serializer):
    text = serializers.CharField()


class RemarkAnswer(serializers.Serializer):
    remark = serializers.IntegerField()
    case = serializers.IntegerField()


class ReopenRequest(serializers.Serializer):
    reason = serializers.CharField()


class LetterRequest(serializers.Serializer):
    text = serializers.CharField(help_text="Your words; what was decided, and the reason, goes with them.")


class LetterAnswer(serializers.Serializer):
    raters = serializers.IntegerField(help_text="How many people it was sent to.")


class TrainingItemWanted(serializers.Serializer):
    levels = serializers.DictField(
        child=serializers.IntegerField(),
        required=False,
        help_text="Of the dimensions on which neither the expert nor the raters settled on a level, and no others.",
    )


class TrainingItemMade(serializers.Serializer):
    scores = serializers.DictField(child=serializers.IntegerField())
    marks = serializers.ListField(child=serializers.DictField())
    reasons = serializers.DictField(child=serializers.CharField(), help_text='By dimension; "" is of all.')


class ExampleRequest(serializers.Serializer):
    passage = serializers.CharField(required=False, help_text="Of the response, as it stands there, 600 characters.")
    dimension = serializers.CharField(required=False, help_text="One the expert decided; its level goes with it.")
    violation = serializers.CharField(required=False, help_text="One the expert confirmed.")
    why = serializers.DictField(
        child=serializers.CharField(), required=False, help_text='{"en", "zh-Hans"}, one or both.'
    )


class ExampleAnswer(serializers.Serializer):
    rubric = serializers.CharField(help_text="Hash of the version that is in use now; see rubrics/{hash}/.")
    version = serializers.IntegerField()


class AgreementRequest(serializers.Serializer):
    raters = serializers.ListField(
        child=serializers.CharField(), required=False, allow_null=True, help_text="Codes; null or left out: of all."
    )


class AgreementAnswer(serializers.Serializer):
    data = serializers.DictField()  # type: ignore[assignment]
    parameters = serializers.DictField(help_text="raters, raters_of: where it is of some raters alone.")
    dimensions = serializers.DictField(help_text="By name; the fields of `manage.py agreement --json`.")
    marks = serializers.DictField(help_text="Of the violation marks, by type.")
    raters = serializers.ListField(help_text="How each worked: items, seconds, checks.")
    rules = serializers.DictField(
        allow_null=True, help_text="What the campaign's rule and others would send to experts; null of some raters."
    )
    report = serializers.DictField(help_text="id, created_at, data_version, code_version")


class StartedAnswer(serializers.Serializer):
    job = serializers.UUIDField(help_text="See jobs/{id}/.")


class ChangeSchema(serializers.Serializer):
    item_id = serializers.CharField()
    key = serializers.CharField()
    task = serializers.CharField()
    language = serializers.CharField()
    companion = serializers.CharField()
    condition = serializers.CharField()
    dimension = serializers.CharField()
    change = serializers.CharField(help_text="added, removed or changed")
    value_before = serializers.FloatField(allow_null=True)
    method_before = serializers.CharField(allow_null=True)
    raters_before = serializers.IntegerField(allow_null=True)
    short_before = serializers.BooleanField(allow_null=True)
    value_after = serializers.FloatField(allow_null=True)
    method_after = serializers.CharField(allow_null=True)
    raters_after = serializers.IntegerField(allow_null=True)
    short_after = serializers.BooleanField(allow_null=True)
    why = serializers.ListField(child=serializers.CharField(), help_text="See docs/release-format.md.")


class ComparisonAnswer(serializers.Serializer):
    to = serializers.IntegerField()
    counts = serializers.DictField(help_text="labels, dimensions, why: of all changes, whatever the cursor.")
    campaign = serializers.DictField(help_text="{what: [before, after]} of what the manifests say of the campaign.")
    changes = ChangeSchema(many=True)
    next = serializers.CharField(allow_null=True, help_text="Cursor of the next page.")

    def get_fields(self) -> Any:
        """`from` is a word of Python's own."""
        return {"from": serializers.IntegerField(), **super().get_fields()}


class ReleaseRequest(serializers.Serializer):
    without_texts = serializers.BooleanField(required=False)


class ReleaseAnswer(serializers.Serializer):
    release = serializers.IntegerField(help_text="Its id, for releases/{id}/files/{name}.")
    number = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    data_version = serializers.CharField()
    parameters = serializers.DictField()
    counts = serializers.DictField()
    files = serializers.DictField(help_text="{name: {sha256, bytes, rows, url}}")


class RuleAnswer(serializers.Serializer):
    version = serializers.IntegerField()
    rule = serializers.DictField(help_text="range, safety_at_most, straddle, marks_split, asked, hurried, …")
    words = serializers.ListField(child=serializers.CharField())
    job = serializers.UUIDField(required=False, allow_null=True, help_text="Of the last change; see jobs/{id}/.")


class RuleToCount(serializers.Serializer):
    rule = serializers.DictField(required=False, help_text="Left out: the campaign's own.")


class RuleChange(serializers.Serializer):
    rule = serializers.DictField(help_text="The whole rule; a part that is left out is off.")
    reason = serializers.CharField(required=False)
    version = serializers.IntegerField(required=False, help_text="The one you have seen: 409 where it is another.")


class RuleCounted(serializers.Serializer):
    looked_at = serializers.IntegerField(help_text="Items with all their first ratings; a sample above 5,000.")
    sent = serializers.IntegerField(help_text="Of these to an expert at once.")
    share = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    interval = serializers.CharField()
    extra = serializers.IntegerField(help_text="Items that more raters are asked for first.")


class OtherRuleCounted(RuleCounted):
    rule = serializers.CharField(help_text="What is different, in words.")


class RuleCount(RuleCounted):
    items = serializers.IntegerField()
    rated = serializers.IntegerField()
    kinds = serializers.DictField(help_text="{reason: {items, alone}}")
    dimensions = serializers.DictField(help_text="{dimension: {items, alone}}")
    changes = serializers.DictField(help_text="opened, fallen, refreshed, extra, settled")
    words = serializers.ListField(child=serializers.CharField())
    others = OtherRuleCounted(many=True)


class OverlapsAnswer(serializers.Serializer):
    parameters = serializers.DictField(help_text="rule, rule_version, overlap, replicates, seed")
    data_version = serializers.CharField()
    code_version = serializers.CharField()
    items = serializers.IntegerField()
    scenarios = serializers.IntegerField()
    ratings = serializers.IntegerField()
    median_seconds = serializers.FloatField(allow_null=True)
    designs = serializers.ListField(child=serializers.DictField(), help_text="One for each way of asking.")
    computed_at = serializers.DateTimeField()
