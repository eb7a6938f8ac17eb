"""Every address of the site, a line a room."""

from django.http import HttpRequest, JsonResponse
from django.urls import URLPattern, URLResolver, include, path


def alive(request: HttpRequest) -> JsonResponse:
    """For load balancers and `./run`: the process answers."""
    return JsonResponse({"alive": True})


urlpatterns: list[URLPattern | URLResolver] = [
    path("alive/", alive, name="alive"),
    path("accounts/", include("allauth.account.urls")),
    path("", include("annotation.urls")),
]
