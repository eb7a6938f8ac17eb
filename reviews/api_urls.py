from django.urls import path

from reviews.api import cases, compare_agreement, lessons, live, plan, raters, refinement, reports, rule

urlpatterns = [
    path("campaigns/<slug:slug>/cases/", cases.CaseList.as_view()),
    path("cases/", cases.AllCases.as_view()),
    path("cases/next/", cases.NextCase.as_view()),
    path("cases/<int:pk>/", cases.CaseDetail.as_view()),
    path("cases/<int:pk>/take/", cases.TakeCase.as_view()),
    path("cases/<int:pk>/renew/", cases.RenewCase.as_view()),
    path("cases/<int:pk>/give-back/", cases.GiveBack.as_view()),
    path("cases/<int:pk>/decision/", cases.Decide.as_view()),
    path("cases/<int:pk>/talk/", cases.Talk.as_view()),
    path("cases/<int:pk>/another/", cases.CallAnother.as_view()),
    path("cases/<int:pk>/reopen/", cases.ReopenCase.as_view()),
    path("campaigns/<slug:slug>/refinement/", refinement.RefinementTable.as_view()),
    path("scenarios/<int:pk>/ruling/", refinement.RuleOnScenario.as_view()),
    path("cases/<int:pk>/letter/", lessons.Letter.as_view()),
    path("cases/<int:pk>/training-item/", lessons.TrainingItem.as_view()),
    path("cases/<int:pk>/example/", lessons.Example.as_view()),
    path("campaigns/<slug:slug>/agreement/", reports.Agreement.as_view()),
    path("campaigns/<slug:slug>/agreement/live/", live.LiveAgreementSoFar.as_view()),
    path("campaigns/<slug:slug>/raters/<int:user_id>/", raters.Rater.as_view()),
    path("campaigns/<slug:slug>/raters/<int:user_id>/withdrawals/", raters.Withdrawals.as_view()),
    path(
        "campaigns/<slug:slug>/raters/<int:user_id>/withdrawals/<int:withdrawal_id>/revert/",
        raters.RevertWithdrawal.as_view(),
    ),
    path(
        "campaigns/<slug:slug>/raters/<int:user_id>/withdrawals/<int:withdrawal_id>/resume/",
        raters.ResumeWithdrawal.as_view(),
    ),
    path("campaigns/<slug:slug>/agreement/compare/", compare_agreement.CompareAgreement.as_view()),
    path("plan/", plan.Plan.as_view()),
    path("campaigns/<slug:slug>/rule/", rule.CampaignRule.as_view()),
    path("campaigns/<slug:slug>/rule/count/", rule.CountRule.as_view()),
    path("campaigns/<slug:slug>/overlap/", rule.Overlaps.as_view()),
    path("campaigns/<slug:slug>/releases/", reports.ReleaseList.as_view()),
    path("campaigns/<slug:slug>/releases/compare/", reports.CompareReleases.as_view()),
    path("releases/<int:pk>/files/<str:name>", reports.ReleaseFile.as_view(), name="api-release-file"),
]
