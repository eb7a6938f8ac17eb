from django.urls import path

from annotation.api import training, views

urlpatterns = [
    path("campaigns/", views.CampaignList.as_view()),
    path("campaigns/<slug:slug>/next/", views.NextAssignment.as_view()),
    path("campaigns/<slug:slug>/ahead/", views.AheadAssignments.as_view()),
    path("campaigns/<slug:slug>/ratings/", views.RatingList.as_view()),
    path("campaigns/<slug:slug>/training/", training.Training.as_view()),
    path("campaigns/<slug:slug>/training/<int:item_id>/", training.AnswerTraining.as_view()),
    path("assignments/<int:pk>/renew/", views.Renew.as_view()),
    path("assignments/<int:pk>/rating/", views.SubmitRating.as_view()),
    path("assignments/<int:pk>/draft/", views.KeepDraft.as_view(), name="assignment-draft"),
    path("assignments/<int:pk>/skip/", views.Skip.as_view()),
    path("assignments/<int:pk>/release/", views.Release.as_view()),
    path("assignments/<int:pk>/flag/", views.FlagScenario.as_view()),
    path("rubrics/<str:hash>/", views.RubricDetail.as_view()),
    path("tokens/", views.TokenList.as_view()),
]
