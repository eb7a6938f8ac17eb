"""Ruling on scenarios: a campaign to rule in, and a ruling that is complete unless told otherwise."""

from typing import Any

from annotation.models import Campaign, User, WorkItem
from reviews.services.refinement import Ruled, rule_on_scenario
from scenarios.models import Scenario
from tests import factories

CHANGES = {"persona": "A friend who listens."}


def campaign_of_two() -> Campaign:
    """Two scenarios, each answered by two companions under two conditions."""
    data = factories.dataset(scenarios=2, companions=["model-a", "model-b"], conditions=["sap", "no_sap"])
    return factories.campaign(data=data, overlap=2)


def rule_so(campaign: Campaign, scenario: Scenario, expert: User, verdict: Any = "withdraw", /, **given: Any) -> Ruled:
    """The ruling, with whatever is given in the place of the usual fault, reason and changes."""
    about: dict[str, Any] = {"campaign": campaign, "scenario": scenario, "expert": expert, "verdict": verdict}
    about |= {"fault": "" if verdict == "keep" else "personal_data", "reason": "It names a real person."}
    about |= {"changes": CHANGES} if verdict == "revise" else {}
    return rule_on_scenario(**(about | given))


def items(campaign: Campaign, scenario: Scenario) -> list[WorkItem]:
    return list(WorkItem.everything.filter(campaign=campaign, scenario=scenario).order_by("pk"))


def states(campaign: Campaign, scenario: Scenario) -> set[str]:
    return {item.state for item in items(campaign, scenario)}
