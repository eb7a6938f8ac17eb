from collections.abc import Iterable

from annotation.models import Membership, User


def datasets_of_manager(user: User) -> Iterable[int]:
    """Ids of the datasets that campaigns of this manager are built on: they see these beside the site managers."""
    managing = user.memberships.filter(role=Membership.Role.MANAGER, state=Membership.State.ACTIVE)
    return managing.values_list("campaign__dataset", flat=True)
