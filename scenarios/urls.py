from django.urls import path

from scenarios import views

app_name = "scenarios"
urlpatterns = [
    path("datasets/", views.datasets, name="datasets"),
    path("datasets/import/", views.import_files, name="import"),
    path("datasets/<slug:slug>/", views.dataset, name="dataset"),
]
