from django.db import models


class TrainingAttempt(models.Model):
    """One person's way through a campaign's training round. The manager sees every one."""

    membership = models.ForeignKey("annotation.Membership", on_delete=models.CASCADE, related_name="attempts")
    number = models.PositiveSmallIntegerField()
    items = models.JSONField()  # the items' numbers, in this attempt's order
    rule = models.JSONField()  # the campaign's qualification rule when it began
    started_at = models.DateTimeField(auto_now_add=True)
    # Set when the last item is answered.
    finished_at = models.DateTimeField(null=True)
    passed = models.BooleanField(null=True)
    mean_difference = models.FloatField(null=True)
    missed = models.PositiveSmallIntegerField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["membership", "number"], name="one_attempt_a_number")]

    def __str__(self) -> str:
        return f"attempt {self.number} of {self.membership_id}"


class TrainingAnswer(models.Model):
    """What the person said of one item of an attempt. No rating: nothing of it is counted anywhere."""

    attempt = models.ForeignKey(TrainingAttempt, on_delete=models.CASCADE, related_name="answers")
    work_item = models.ForeignKey("annotation.WorkItem", on_delete=models.PROTECT, related_name="training_answers")
    client_id = models.UUIDField()
    scores = models.JSONField()
    marks = models.JSONField(default=list)
    rationale = models.TextField(blank=True)
    seconds = models.PositiveIntegerField(default=0)
    submitted_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["attempt", "work_item"], name="one_answer_an_item")]

    def __str__(self) -> str:
        return f"answer {self.pk}"
