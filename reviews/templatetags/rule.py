"""A campaign's rule for the pages of the rooms before this one: `{% load rule %}`."""

from django import template
from django.template.context import Context

from annotation.models import Campaign
from reviews import policy
from reviews.rule_page import count_sentences
from reviews.rule_words import RuleWords, words_of
from reviews.rules import Rule
from reviews.services.forecast import outlook_of_rule

register = template.Library()


@register.simple_tag
def rule_words(campaign: Campaign) -> RuleWords:
    """`{% rule_words campaign as words %}`: the rule in sentences."""
    return words_of(Rule.of(campaign.rule), campaign.rubric)


@register.simple_tag(takes_context=True)
def may_see_rule(context: Context, campaign: Campaign) -> bool:
    return policy.may_see_rule(context["request"].user, campaign)


@register.simple_tag(takes_context=True)
def rule_count(context: Context, campaign: Campaign) -> list[str]:
    """What the rule would send of what is rated, in sentences; none for who may not see it, or with nothing rated."""
    if not policy.may_change_rule(context["request"].user, campaign):
        return []
    outlook = outlook_of_rule(campaign, Rule.of(campaign.rule))
    return count_sentences(outlook) if outlook.forecast.looked_at else []
