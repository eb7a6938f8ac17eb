"""Jobs that a worker has done, with what they came to."""

from dataclasses import replace

from annotation.models import Campaign, Rating, User
from jobs import services as jobs
from jobs.models import Job
from reviews.agreement_split import Split
from reviews.plan_reading import PlanOptions
from reviews.services.background import COMPARE_AGREEMENT, COMPARE_OVERLAPS, start_plan
from reviews.services.compare_agreement import compare_agreement
from reviews.services.overlap import compare_overlaps
from reviews.services.plan import kept_plan, make_plan, pilot_of


def compared(campaign: Campaign, manager: User) -> None:
    """The ways of asking raters, as a worker would have compared them."""
    said = {"campaign": campaign.slug}
    job = jobs.enqueue(kind=COMPARE_OVERLAPS, arguments=said, by=manager, subject=f"campaign:{campaign.slug}")
    jobs.finish(job.pk, attempt=jobs.claim(job.pk) or 0, result=compare_overlaps(campaign=campaign))


def compared_agreement(campaign: Campaign, manager: User) -> Job:
    """Two periods, as a worker would have compared them."""
    first = Rating.objects.in_campaign(campaign).order_by("submitted_at")[5].submitted_at
    split = Split("periods", since=first)
    result = compare_agreement(campaign=campaign, split=split, bootstrap=0)
    said = {"campaign": campaign.slug, "split": split.as_json()}
    job = jobs.enqueue(kind=COMPARE_AGREEMENT, arguments=said, by=manager, subject=f"campaign:{campaign.slug}")
    jobs.finish(job.pk, attempt=jobs.claim(job.pk) or 0, result=result)
    return job


def planned(campaign: Campaign, manager: User) -> Job:
    """From the campaign's own ratings, as a worker would have worked it out."""
    options = PlanOptions(scenarios=(20, 40), responses=(1,), raters=(2,), width=0.1, simulations=20)
    options = replace(options, alpha=0.5, scenario_share=0.3, dimension="empathy")
    pilot = pilot_of(campaign)
    result = kept_plan(make_plan(options=options, pilot=pilot), options=options, pilot=pilot)
    job = start_plan(options=options.as_json(), pilot=campaign.slug, by=manager)
    jobs.finish(job.pk, attempt=jobs.claim(job.pk) or 0, result=result)
    return job
