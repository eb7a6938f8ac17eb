"""The shapes of requests and answers, for the OpenAPI description. Services read and check; these only describe."""

from rest_framework import serializers

from scenarios.models.scenario import Fault


class MarkSchema(serializers.Serializer):
    type = serializers.CharField(help_text="Key of a violation type of the rubric; `note` for a remark on a passage.")
    start = serializers.IntegerField(allow_null=True, required=False, help_text="Code point where the quote begins.")
    end = serializers.IntegerField(allow_null=True, required=False, help_text="Code point after its last one.")
    quote = serializers.CharField(required=False, help_text="Exactly text[start:end].")
    note = serializers.CharField(required=False)


class FlagRequest(serializers.Serializer):
    fault = serializers.ChoiceField(choices=Fault.values, required=False)
    note = serializers.CharField(required=False)
    take_back = serializers.BooleanField(required=False, help_text="Nothing is wrong with it after all.")


class FlagAnswer(serializers.Serializer):
    flagged = serializers.BooleanField()
    fault = serializers.CharField(allow_null=True)
    note = serializers.CharField()


class RatingRequest(serializers.Serializer):
    client_id = serializers.UUIDField(help_text="Made by the client; sending it twice saves once.")
    scores = serializers.DictField(child=serializers.IntegerField(), help_text='{"empathy": 4, …}')
    marks = MarkSchema(many=True, required=False)
    rationale = serializers.CharField(required=False)
    seconds = serializers.FloatField(required=False, help_text="Seconds of active work.")
    needs_expert = serializers.BooleanField(required=False)
    supersedes = serializers.IntegerField(required=False, allow_null=True, help_text="The standing rating it edits.")


class RatingAnswer(serializers.Serializer):
    rating = serializers.IntegerField()
    status = serializers.ChoiceField(choices=["counted", "surplus"])


class ItemSchema(serializers.Serializer):
    language = serializers.CharField()
    task = serializers.CharField()
    persona = serializers.CharField()
    turns = serializers.ListField(child=serializers.DictField())
    memories = serializers.ListField(child=serializers.DictField())
    schedule = serializers.ListField(child=serializers.DictField())
    text = serializers.CharField()
    heavy = serializers.BooleanField(help_text="Hard to read: announce it before you show it; a skip needs no reason.")
    content_note = serializers.CharField()


class DraftSchema(serializers.Serializer):
    scores = serializers.DictField(child=serializers.IntegerField(), required=False)
    marks = MarkSchema(many=True, required=False)
    rationale = serializers.CharField(required=False)
    needs_expert = serializers.BooleanField(required=False)
    seconds = serializers.FloatField(required=False, help_text="Of active work so far; the larger is kept.")
    saved_at = serializers.DateTimeField(help_text="When it was typed; with its offset.")


class DraftAnswer(serializers.Serializer):
    saved_at = serializers.DateTimeField()
    replaced = DraftSchema(allow_null=True, help_text="What was stored before, where it said something else.")


class AssignmentAnswer(serializers.Serializer):
    assignment = serializers.IntegerField()
    expires_at = serializers.DateTimeField()
    item = ItemSchema()
    rubric = serializers.CharField(help_text="Its hash; see rubrics/{hash}/.")
    draft = DraftSchema(allow_null=True, help_text="What you typed of it and did not submit.")
    left = serializers.IntegerField(help_text="Items there are for this person, this one included.")


class AheadAnswer(serializers.Serializer):
    assignments = AssignmentAnswer(many=True, help_text="In the order of work; `left` as it is once each is reached.")


class LeaseAnswer(serializers.Serializer):
    assignment = serializers.IntegerField()
    state = serializers.CharField()
    expires_at = serializers.DateTimeField()


class SkipRequest(serializers.Serializer):
    reason = serializers.CharField(
        required=False, help_text="unsure, language, broken, heavy, known or other; a heavy item needs none"
    )
    note = serializers.CharField(required=False)


class OwnRating(serializers.Serializer):
    rating = serializers.IntegerField()
    assignment = serializers.IntegerField()
    status = serializers.CharField()
    scores = serializers.DictField(child=serializers.IntegerField())
    marks = MarkSchema(many=True)
    rationale = serializers.CharField()
    seconds = serializers.IntegerField()
    submitted_at = serializers.DateTimeField()
    rater = serializers.CharField(required=False, help_text="For the campaign's managers only.")
    item = serializers.CharField(required=False, help_text="For the campaign's managers only.")


class Page(serializers.Serializer):
    results = OwnRating(many=True)
    next = serializers.CharField(allow_null=True, help_text="Cursor of the next page.")


class TokenRequest(serializers.Serializer):
    name = serializers.CharField(required=False)


class TokenAnswer(serializers.Serializer):
    token = serializers.CharField(help_text="Shown this once.")


class CampaignAnswer(serializers.Serializer):
    slug = serializers.CharField()
    title = serializers.CharField()
    state = serializers.CharField()
    roles = serializers.ListField(child=serializers.CharField())


class RubricAnswer(serializers.Serializer):
    key = serializers.CharField()
    version = serializers.IntegerField()
    hash = serializers.CharField()
    content = serializers.DictField()


class ProblemAnswer(serializers.Serializer):
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    fields = serializers.DictField()  # type: ignore[assignment]
