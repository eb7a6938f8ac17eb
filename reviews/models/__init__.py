from reviews.models.case import Case, CaseEvent
from reviews.models.decision import Decision, DecisionValue
from reviews.models.live import LiveAgreement
from reviews.models.reading import ReferenceReading
from reviews.models.release import Release
from reviews.models.report import AgreementReport
from reviews.models.ruling import ScenarioRuling
from reviews.models.talk import CaseRemark
from reviews.models.view import SavedView
from reviews.models.withdrawal import RatingWithdrawal, WithdrawnRating

__all__ = [
    "AgreementReport",
    "Case",
    "CaseEvent",
    "CaseRemark",
    "Decision",
    "DecisionValue",
    "LiveAgreement",
    "RatingWithdrawal",
    "ReferenceReading",
    "Release",
    "SavedView",
    "ScenarioRuling",
    "WithdrawnRating",
]
