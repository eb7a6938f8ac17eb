"""Addresses of the reviews room's pages."""

from django.urls import path

from reviews.views import agreement, cases, lessons, releases

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
    path("cases/<int:case_id>/letter/", lessons.letter, name="write_to_raters"),
    path("cases/<int:case_id>/training-item/", lessons.training_item, name="make_training_item"),
    path("cases/<int:case_id>/example/", lessons.example, name="make_example"),
    path("campaigns/<slug:slug>/agreement/", agreement.agreement, name="agreement"),
    path("campaigns/<slug:slug>/agreement/compute/", agreement.compute, name="compute_agreement"),
    path("campaigns/<slug:slug>/agreement.json", agreement.as_json, name="agreement_json"),
    path("campaigns/<slug:slug>/releases/", releases.releases, name="releases"),
    path("campaigns/<slug:slug>/releases/publish/", releases.publish, name="publish"),
    path("campaigns/<slug:slug>/releases/<int:number>/<str:name>", releases.download, name="download"),
]
