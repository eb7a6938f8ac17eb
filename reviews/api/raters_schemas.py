"""The shapes of what the API says of a rater, for the OpenAPI description."""

from rest_framework import serializers


class WithdrawalRequest(serializers.Serializer):
    since = serializers.DateTimeField(help_text="With its zone; all that was submitted then or later.")
    reason = serializers.CharField(help_text="Kept in the campaign's log; the rater is not told it.")


class WithdrawalTold(serializers.Serializer):
    withdrawal = serializers.IntegerField()
    ratings = serializers.IntegerField(help_text="Taken out so far; `counted` and `surplus` of them.")
    counted = serializers.IntegerField()
    surplus = serializers.IntegerField()
    wanting = serializers.IntegerField(help_text="Items that wanted raters by it.")
    again = serializers.IntegerField(required=False, help_text="Brought back, counted.")
    again_surplus = serializers.IntegerField(required=False, help_text="Brought back, as surplus.")
    reason = serializers.CharField()
    since = serializers.DateTimeField()
    at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    reverted_at = serializers.DateTimeField(allow_null=True)
    restored_at = serializers.DateTimeField(allow_null=True)


class WithdrawalAnswer(WithdrawalTold):
    job = serializers.UUIDField(allow_null=True)


class RaterDimension(serializers.Serializer):
    own = serializers.DictField(child=serializers.IntegerField(), help_text="How often they gave each level.")
    others = serializers.DictField(child=serializers.IntegerField(), help_text="The others, on the same items.")
    report = serializers.DictField(allow_null=True, help_text="Of the latest agreement report: severity and more.")


class ApartSchema(serializers.Serializer):
    item = serializers.IntegerField()
    case = serializers.IntegerField(allow_null=True)
    dimension = serializers.CharField()
    own = serializers.IntegerField()
    others = serializers.ListField(child=serializers.IntegerField(), help_text="From low to high; nobody is named.")
    difference = serializers.FloatField(help_text="Their own value less the mean of the others'.")


class RaterAnswer(serializers.Serializer):
    rater = serializers.CharField()
    counted = serializers.IntegerField()
    surplus = serializers.IntegerField()
    withdrawn = serializers.IntegerField()
    median_seconds = serializers.FloatField(allow_null=True)
    checks = serializers.IntegerField()
    hits = serializers.IntegerField()
    report = serializers.IntegerField(allow_null=True)
    dimensions = serializers.DictField(child=RaterDimension())
    apart = ApartSchema(many=True, allow_null=True)
    next = serializers.CharField(allow_null=True, help_text="Cursor of the next page of `apart`.")
    withdrawals = WithdrawalTold(many=True)
