"""How far the labels of a campaign can be trusted today: the error of consensus, and the agreement of experts."""

from annotation.models import Campaign, WorkItem
from reviews.expert_agreement import ExpertAgreement, expert_agreement
from reviews.gold import ConsensusError, consensus_errors
from reviews.models import Case, Decision
from reviews.services.records import records_of


def consensus_errors_of(campaign: Campaign) -> list[ConsensusError]:
    """A dimension each, in the rubric's order; only the audited items that are decided are read."""
    audited = Case.objects.in_campaign(campaign).standing().filter(is_audit_only=True, state=Case.State.DECIDED)
    audited = audited.exclude(work_item__state=WorkItem.State.WITHDRAWN)
    histories = (record.history() for record in records_of(campaign, among=audited))
    return consensus_errors(histories, dimensions=_dimensions(campaign))


def expert_agreement_of(campaign: Campaign) -> ExpertAgreement:
    """Only the items on which an independent opinion was given are read."""
    opinions = Decision.objects.opinions().in_campaign(campaign)
    judged = Case.objects.in_campaign(campaign).standing().filter(pk__in=opinions.values("case"))
    cases = (record.judged() for record in records_of(campaign, among=judged))
    return expert_agreement([case for case in cases if case is not None], dimensions=_dimensions(campaign))


def _dimensions(campaign: Campaign) -> list[str]:
    return [dimension.key for dimension in campaign.rubric.dimensions]
