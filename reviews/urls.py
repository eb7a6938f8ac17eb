from django.urls import URLPattern, URLResolver

app_name = "reviews"
urlpatterns: list[URLPattern | URLResolver] = []
