from scenarios.models.companion import Companion
from scenarios.models.dataset import Dataset
from scenarios.models.imports import Import
from scenarios.models.response import Response
from scenarios.models.scenario import Scenario

__all__ = ["Companion", "Dataset", "Import", "Response", "Scenario"]
