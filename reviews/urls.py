"""Addresses of the reviews room's pages."""

from django.urls import path

from reviews.views import (
    agreement,
    agreement_files,
    cases,
    comparison,
    experts,
    lessons,
    overlap,
    queue,
    refinement,
    releases,
    rule,
)

app_name = "reviews"
urlpatterns = [
    path("cases/", queue.cases, name="all_cases"),
    path("cases/next/", queue.take_next, name="take_next_of_all"),
    path("cases/views/", queue.keep_view, name="save_view"),
    path("cases/views/<int:view_id>/delete/", queue.drop_view, name="delete_view"),
    path("campaigns/<slug:slug>/cases/", queue.cases, name="cases"),
    path("campaigns/<slug:slug>/cases/next/", queue.take_next, name="take_next_case"),
    path("campaigns/<slug:slug>/experts/", experts.experts, name="experts"),
    path("campaigns/<slug:slug>/experts/<int:member_id>/share/", experts.deal, name="deal_share"),
    path("cases/<int:case_id>/", cases.case, name="case"),
    path("cases/<int:case_id>/take/", cases.take, name="take_case"),
    path("cases/<int:case_id>/give-back/", cases.give_back, name="give_back_case"),
    path("cases/<int:case_id>/renew/", cases.renew, name="renew_case"),
    path("cases/<int:case_id>/decision/", cases.decide, name="decide_case"),
    path("cases/<int:case_id>/talk/", cases.talk, name="talk_about_case"),
    path("cases/<int:case_id>/another/", cases.another, name="call_another_expert"),
    path("cases/<int:case_id>/reopen/", cases.reopen, name="reopen_case"),
    path("campaigns/<slug:slug>/refinement/", refinement.refinement, name="refinement"),
    path("campaigns/<slug:slug>/refinement/<int:scenario_id>/", refinement.scenario, name="scenario"),
    path("campaigns/<slug:slug>/refinement/<int:scenario_id>/reference/", refinement.reference, name="reference"),
    path("cases/<int:case_id>/letter/", lessons.letter, name="write_to_raters"),
    path("cases/<int:case_id>/training-item/", lessons.training_item, name="make_training_item"),
    path("cases/<int:case_id>/example/", lessons.example, name="make_example"),
    path("campaigns/<slug:slug>/agreement/", agreement.agreement, name="agreement"),
    path("campaigns/<slug:slug>/agreement/compute/", agreement.compute, name="compute_agreement"),
    path("campaigns/<slug:slug>/agreement.json", agreement_files.as_json, name="agreement_json"),
    path("campaigns/<slug:slug>/agreement.html", agreement_files.as_file, name="agreement_file"),
    path("campaigns/<slug:slug>/agreement/<int:report_id>/all.zip", agreement_files.tables, name="agreement_tables"),
    path(
        "campaigns/<slug:slug>/agreement/<int:report_id>/<slug:name>.csv",
        agreement_files.table,
        name="agreement_table",
    ),
    path("campaigns/<slug:slug>/rule/", rule.rule, name="rule"),
    path("campaigns/<slug:slug>/rule/apply/", rule.apply, name="apply_rule"),
    path("campaigns/<slug:slug>/overlap/", overlap.overlap, name="overlap"),
    path("campaigns/<slug:slug>/overlap/compare/", overlap.compare, name="compare_overlaps"),
    path("campaigns/<slug:slug>/releases/", releases.releases, name="releases"),
    path("campaigns/<slug:slug>/releases/publish/", releases.publish, name="publish"),
    path("campaigns/<slug:slug>/releases/compare/", comparison.compare, name="compare"),
    path("campaigns/<slug:slug>/releases/compare.csv", comparison.differences, {"form": "csv"}, name="compare_csv"),
    path(
        "campaigns/<slug:slug>/releases/compare.jsonl", comparison.differences, {"form": "jsonl"}, name="compare_jsonl"
    ),
    path("campaigns/<slug:slug>/releases/<int:number>/<str:name>", releases.download, name="download"),
]
