from django.urls import path

from scenarios import api

urlpatterns = [
    path("datasets/", api.DatasetList.as_view(), name="datasets"),
    path("datasets/<slug:slug>/scenarios/", api.ScenarioImport.as_view(), name="dataset-scenarios"),
    path("datasets/<slug:slug>/responses/", api.ResponseImport.as_view(), name="dataset-responses"),
]
