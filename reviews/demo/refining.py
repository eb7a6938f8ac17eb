"""What the demo's people say of scenarios themselves: flags at the desk, and rulings of an expert on two of them."""

from annotation.models import Assignment
from annotation.services.flags import flag_scenario
from reviews.demo.journal import Stage
from reviews.services.refinement import rule_on_scenario
from scenarios.models import Scenario
from scenarios.models.scenario import Fault

# (who flags, which of the scenarios they rated in the order of keys, fault, note)
FLAGS = (
    ("ana", 1, Fault.UNNATURAL, "Nobody writes to a friend like this."),
    ("bo", 1, Fault.UNNATURAL, ""),
    ("ana", 4, Fault.CONTEXT_MISSING, "What happened the day before? The reply depends on it."),
    ("dara", 7, Fault.PERSONAL_DATA, "The street and the number look like a real address."),
    ("chen", 2, Fault.UNNATURAL, "前一句还在哭，后一句就开玩笑，转得太快。"),
    ("fang", 5, Fault.CONTEXT_MISSING, "没有交代两个人是什么关系。"),
)


def play_refinement(stage: Stage) -> None:
    """Six flags; the first scenario flagged is revised, the third kept; the others wait for an expert."""
    flagged = [_flag(stage, *said) for said in FLAGS]
    expert, campaign = stage.people["elena"], stage.campaign
    revised, kept = flagged[0], flagged[2]
    rule_on_scenario(
        campaign=campaign,
        scenario=revised,
        expert=expert,
        verdict="revise",
        fault=Fault.UNNATURAL,
        reason="Two annotators are right: the persona reads like a form. Said in one voice now.",
        changes={"persona": f"{revised.persona} Writes short messages, the way friends do."},
    )
    rule_on_scenario(
        campaign=campaign,
        scenario=kept,
        expert=expert,
        verdict="keep",
        reason="The companion is not meant to know the day before; asking about it is a good reply.",
    )


def _flag(stage: Stage, who: str, place: int, fault: Fault, note: str) -> Scenario:
    given = Assignment.objects.filter(campaign=stage.campaign, annotator=stage.people[who], state="submitted")
    keys = sorted(set(given.values_list("work_item__scenario__key", flat=True)))
    assignment = (
        given.filter(work_item__scenario__key=keys[place]).order_by("pk").select_related("work_item__scenario")[0]
    )
    flag_scenario(assignment_id=assignment.pk, user=stage.people[who], fault=fault, note=note)
    return assignment.work_item.scenario
