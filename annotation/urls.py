"""Addresses of the annotation room's pages."""

from django.urls import path

from annotation.views import account, home, welcome

app_name = "annotation"
urlpatterns = [
    path("", home.home, name="home"),
    path("welcome/<str:secret>/", welcome.welcome, name="welcome"),
    path("account/", account.account, name="account"),
    path("account/language/", account.language, name="language"),
    path("account/tokens/", account.new_token, name="new_token"),
    path("account/tokens/<int:token_id>/revoke/", account.drop_token, name="drop_token"),
]
