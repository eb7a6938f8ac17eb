from django.urls import path

from jobs import views

app_name = "jobs"
urlpatterns = [
    path("jobs/<uuid:job_id>/", views.job, name="job"),
    path("jobs/<uuid:job_id>/progress/", views.progress, name="progress"),
    path("jobs/<uuid:job_id>/cancel/", views.cancel, name="cancel"),
]
