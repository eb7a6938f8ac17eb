"""What pages of other rooms show of this one: `{% load reviews %}`."""

from typing import Any

from django import template
from django.template.context import Context

from annotation.models import Campaign
from reviews import policy
from reviews.quality import consensus_errors_of
from reviews.quality_page import errors_page

register = template.Library()


@register.inclusion_tag("reviews/_consensus_error.html", takes_context=True)
def consensus_error(context: Context, campaign: Campaign) -> dict[str, Any]:
    """A card: how often an expert who looked at agreed items differed from them. For who may see the releases."""
    if not policy.may_see_releases(context["request"].user, campaign):
        return {"audit": None}
    return {"audit": errors_page(consensus_errors_of(campaign), campaign)}
