"""Addresses of the reviews room's pages."""

from django.urls import path

from reviews.views import agreement, cases, comparison, releases

app_name = "reviews"
urlpatterns = [
    path("campaigns/<slug:slug>/cases/", cases.cases, name="cases"),
    path("campaigns/<slug:slug>/cases/next/", cases.take_next, name="take_next_case"),
    path("cases/<int:case_id>/", cases.case, name="case"),
    path("cases/<int:case_id>/take/", cases.take, name="take_case"),
    path("cases/<int:case_id>/give-back/", cases.give_back, name="give_back_case"),
    path("cases/<int:case_id>/renew/", cases.renew, name="renew_case"),
    path("cases/<int:case_id>/decision/", cases.decide, name="decide_case"),
    path("cases/<int:case_id>/reopen/", cases.reopen, name="reopen_case"),
    path("campaigns/<slug:slug>/agreement/", agreement.agreement, name="agreement"),
    path("campaigns/<slug:slug>/agreement/compute/", agreement.compute, name="compute_agreement"),
    path("campaigns/<slug:slug>/agreement.json", agreement.as_json, name="agreement_json"),
    path("campaigns/<slug:slug>/releases/", releases.releases, name="releases"),
    path("campaigns/<slug:slug>/releases/publish/", releases.publish, name="publish"),
    path("campaigns/<slug:slug>/releases/compare/", comparison.compare, name="compare"),
    path("campaigns/<slug:slug>/releases/compare.csv", comparison.differences, {"form": "csv"}, name="compare_csv"),
    path(
        "campaigns/<slug:slug>/releases/compare.jsonl", comparison.differences, {"form": "jsonl"}, name="compare_jsonl"
    ),
    path("campaigns/<slug:slug>/releases/<int:number>/<str:name>", releases.download, name="download"),
]
