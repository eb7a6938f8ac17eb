from scenarios.reading.faults import Fault, ImportRefused
from scenarios.services.clearing import sweep_imports
from scenarios.services.describe_companion import describe_companion
from scenarios.services.import_responses import import_responses
from scenarios.services.import_scenarios import import_scenarios
from scenarios.services.lifecycle import ImportBusy, ImportLost
from scenarios.services.report import ImportReport
from scenarios.services.revising import RevisionInvalid, ScenarioGone, revise_scenario, withdraw_scenario

__all__ = [
    "Fault",
    "ImportBusy",
    "ImportLost",
    "ImportRefused",
    "ImportReport",
    "RevisionInvalid",
    "ScenarioGone",
    "describe_companion",
    "import_responses",
    "import_scenarios",
    "revise_scenario",
    "sweep_imports",
    "withdraw_scenario",
]
