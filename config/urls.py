"""Every address of the site, a line a room."""

from django.http import HttpRequest, JsonResponse
from django.urls import URLPattern, URLResolver, include, path, re_path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from annotation.api.views import NotHere

handler400 = "annotation.views.bad_request.bad_request"


def alive(request: HttpRequest) -> JsonResponse:
    """For load balancers and `./run`: the process answers."""
    return JsonResponse({"alive": True})


api: list[URLPattern | URLResolver] = [
    path("", include("jobs.api_urls")),
    path("", include("scenarios.api_urls")),
    path("", include("annotation.api.urls")),
    path("", include("reviews.api_urls")),
    re_path(r"^(?P<rest>.*)$", NotHere.as_view()),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("alive/", alive, name="alive"),
    path("accounts/", include("allauth.account.urls")),
    path("api/schema/", SpectacularAPIView.as_view(), name="api-schema"),
    # OPTIONS of a page made from a template would be a server error.
    path(
        "api/docs/",
        SpectacularSwaggerSplitView.as_view(url_name="api-schema", http_method_names=["get", "head"]),
        name="api-docs",
    ),
    path("api/v1/", include(api)),
    path("", include("jobs.urls")),
    path("", include("scenarios.urls")),
    path("", include("annotation.urls")),
    path("", include("reviews.urls")),
]
