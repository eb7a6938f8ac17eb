"""Named errors of the reviews room; doors show the sentence and answer with `status`."""

from django.utils.translation import gettext_lazy as _

from annotation.errors import ConcordError, MoveRefused


class ConflictOfInterest(ConcordError):
    """No one judges their own."""

    status = 403
    message = _("You were given this item to rate, so you cannot decide it.")


class ReferenceKnown(ConflictOfInterest):
    message = _("You have read this scenario’s reference response, so another expert decides the case.")


class ReferenceHidden(ConcordError):
    status = 403
    message = _("The reference response is not shown to who could still judge a response to this scenario.")


class ScenarioConflict(ConflictOfInterest):
    message = _("You were given a response to this scenario to rate, so you cannot rule on it.")


class ScenarioNotFound(ConcordError):
    status = 404
    message = _("This campaign has no such scenario.")


class RulingInvalid(ConcordError):
    message = _("The ruling is not complete or not valid; see the fields named.")


class RulingRefused(MoveRefused):
    """The scenario was revised or withdrawn before, or cannot be changed just now."""

    message = _("This scenario was ruled on already: what was revised or withdrawn is not brought back.")


class NotAnExpert(ConcordError):
    status = 403
    message = _("Only an active expert of the campaign may do this.")


class CaseNotFound(ConcordError):
    status = 404
    message = _("There is no such case here, or it is not yours to see.")


class CaseNotFree(MoveRefused):
    """Someone else holds it, or it is decided, or it fell away."""

    message = _("Another expert has taken this case.")


class CaseFell(CaseNotFree):
    message = _("This case fell away: its item no longer needs an expert.")


class CaseNotHeld(MoveRefused):
    """What only the expert who holds the case may do."""

    message = _("You no longer hold this case. Take it again to decide it.")


class OpinionGiven(MoveRefused):
    """One opinion an expert: the others' are independent."""

    message = _("You have given your opinion on this case; another expert's is awaited.")


class NotAmongThem(ConcordError):
    """Only those who gave their opinions talk about the case and settle it."""

    status = 403
    message = _("Those who gave their opinions on this case settle it.")


class NobodyElse(MoveRefused):
    """A second opinion that no one could give."""

    message = _("No other expert of the campaign could judge this case: all of them rated it, or have spoken.")


class RemarkInvalid(ConcordError):
    message = _("The remark cannot be saved.")


class AlreadyDecided(MoveRefused):
    """A second decision that does not say which one it supersedes."""

    message = _("This case is decided already. To change your decision, revise it.")


class CaseNotDecided(MoveRefused):
    """What only a decided case can teach."""

    message = _("This case is not decided. Only what stands decided can be passed on.")


class LessonInvalid(ConcordError):
    message = _("Something is missing; see the fields named.")


class DecisionInvalid(ConcordError):
    message = _("The decision is not complete or not valid; see the fields named.")


class ListInvalid(ConcordError):
    """A filter or cursor that a list cannot read."""

    message = _("This list cannot be filtered so; see the fields named.")


class ViewInvalid(ConcordError):
    """A saved view that cannot be kept: its name, or one too many."""


class OptionsInvalid(ConcordError):
    """Options of a report that cannot be read."""


class PlanInvalid(OptionsInvalid):
    message = _("This cannot be planned; see the fields named.")


class SplitInvalid(OptionsInvalid):
    message = _("The ratings cannot be split so; see the fields named.")


class RuleOutdated(ConcordError):
    """Somebody else has changed the rule since it was looked at."""

    status = 409
    message = _("The rule was changed meanwhile. Look at it once more, then change it.")


class WithdrawalInvalid(ConcordError):
    """From when, or why, cannot be read; or there is nothing to take out."""

    message = _("These ratings cannot be withdrawn so; see the fields named.")


class NoRatings(ConcordError):
    status = 409
    message = _("No rating counts yet.")


class NoGold(ConcordError):
    """A release would be empty."""

    status = 409
    message = _("There is nothing to release: no item is decided yet.")


class NothingToCompare(ConcordError):
    """Fewer than two releases."""

    status = 404
    message = _("There are not two releases to compare yet.")


class PairInvalid(ConcordError):
    """Two releases were named that cannot be compared."""

    message = _("These two cannot be compared; see the fields named.")


class FolderNotEmpty(ConcordError):
    """An export never overwrites what it did not write."""

    status = 409


class ReleaseDamaged(ConcordError):
    """The files of a release are not what they were, and cannot be made again."""

    status = 409
