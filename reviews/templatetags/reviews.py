"""What pages of other rooms show of this one: `{% load reviews %}`."""

from typing import Any

from django import template
from django.template.context import Context

from annotation.models import Campaign
from reviews import policy
from reviews.live_page import live_page
from reviews.quality import consensus_errors_of
from reviews.quality_page import errors_page
from reviews.rule_page import count_sentences
from reviews.rule_words import RuleWords, words_of
from reviews.rules import Rule
from reviews.services.forecast import outlook_of_rule
from reviews.services.live import GOES_ON

register = template.Library()


@register.inclusion_tag("reviews/_consensus_error.html", takes_context=True)
def consensus_error(context: Context, campaign: Campaign) -> dict[str, Any]:
    """A card: how often an expert who looked at agreed items differed from them. For who may see the releases."""
    if not policy.may_see_releases(context["request"].user, campaign):
        return {"audit": None}
    return {"audit": errors_page(consensus_errors_of(campaign), campaign)}


@register.inclusion_tag("reviews/live/_card.html", takes_context=True)
def live_agreement(context: Context, campaign: Campaign) -> dict[str, Any]:
    """A card: how far the raters agree so far, and what it takes to know it better. While rating goes on."""
    request = context["request"]
    if campaign.state not in GOES_ON or not policy.may_see_live_agreement(request.user, campaign):
        return {"live": None}
    page = live_page(campaign, asked=request.GET.get("width", ""))
    return {"live": page, "part": page.part, "campaign": campaign}


@register.simple_tag
def rule_words(campaign: Campaign) -> RuleWords:
    """`{% rule_words campaign as words %}`: the rule in sentences."""
    return words_of(Rule.of(campaign.rule), campaign.rubric)


@register.simple_tag(takes_context=True)
def may_see_rule(context: Context, campaign: Campaign) -> bool:
    return policy.may_see_rule(context["request"].user, campaign)


@register.simple_tag(takes_context=True)
def may_plan(context: Context) -> bool:
    return policy.may_plan(context["request"].user)


@register.simple_tag(takes_context=True)
def rule_count(context: Context, campaign: Campaign) -> list[str]:
    """What the rule would send of what is rated, in sentences; none for who may not see it, or with nothing rated."""
    if not policy.may_change_rule(context["request"].user, campaign):
        return []
    outlook = outlook_of_rule(campaign, Rule.of(campaign.rule))
    return count_sentences(outlook) if outlook.forecast.looked_at else []
