"""Who may what with a job."""

from typing import TYPE_CHECKING

from jobs.models import Job

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from annotation.models import User


def may_see_job(user: "User | AnonymousUser", job: Job) -> bool:
    """Who started it, and site managers."""
    return user.is_authenticated and user.is_active and (user.is_site_manager or job.created_by_id == user.pk)


def may_cancel_job(user: "User | AnonymousUser", job: Job) -> bool:
    return may_see_job(user, job)
