"""Which cases are dealt to which expert: by component and language, as their membership says."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_

from django.db.models import Q

from annotation.models import Membership


@dataclass(frozen=True)
class Share:
    """An expert's part of one campaign's cases; no component is all components, no language all languages."""

    campaign_id: int
    components: frozenset[str] = frozenset()
    languages: frozenset[str] = frozenset()

    @classmethod
    def of(cls, membership: Membership) -> "Share":
        return cls(membership.campaign_id, frozenset(membership.components), frozenset(membership.languages))

    @property
    def is_whole(self) -> bool:
        """Every case of the campaign: nothing was dealt."""
        return not (self.components or self.languages)

    def holds(self, component: str, language: str) -> bool:
        of_component = not self.components or component in self.components
        return of_component and (not self.languages or language in self.languages)

    def cases(self) -> Q:
        """For a queryset of cases."""
        dealt = Q(campaign=self.campaign_id)
        if self.components:
            dealt &= Q(component__in=sorted(self.components))
        return dealt & Q(language__in=sorted(self.languages)) if self.languages else dealt


def dealt(shares: Iterable[Share]) -> Q:
    """The cases of any of the shares; those of whole campaigns in one list, which an index can be read by."""
    shares = list(shares)
    whole = [share.campaign_id for share in shares if share.is_whole]
    return reduce(or_, [share.cases() for share in shares if not share.is_whole], Q(campaign__in=whole))
