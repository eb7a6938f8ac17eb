from reviews.models.case import Case, CaseEvent
from reviews.models.decision import Decision, DecisionValue
from reviews.models.release import Release
from reviews.models.report import AgreementReport

__all__ = ["AgreementReport", "Case", "CaseEvent", "Decision", "DecisionValue", "Release"]
