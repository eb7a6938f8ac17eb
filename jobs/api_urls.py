from django.urls import path

from jobs import api

urlpatterns = [path("jobs/<uuid:job_id>/", api.JobDetail.as_view(), name="job")]
