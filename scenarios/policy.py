"""Who may what with datasets."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from annotation.models import User


def may_manage_datasets(user: "User | AnonymousUser") -> bool:
    """Import, and see all datasets."""
    return user.is_authenticated and user.is_active and user.is_site_manager
