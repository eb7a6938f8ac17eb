"""Who may what with datasets."""

from typing import TYPE_CHECKING

from scenarios.models import Dataset

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from annotation.models import User


def may_manage_datasets(user: "User | AnonymousUser") -> bool:
    """Import, and see all datasets."""
    return user.is_authenticated and user.is_active and user.is_site_manager


def may_see_dataset(user: "User | AnonymousUser", dataset: Dataset) -> bool:
    """Site managers, and whoever a room above shows it to (ports.py)."""
    return Dataset.objects.visible_to(user).filter(pk=dataset.pk).exists()
