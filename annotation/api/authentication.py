from django.contrib.auth import get_user_model
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from annotation.models import ApiToken

User = get_user_model()


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer <token>` (or `Token <token>`). Only a hash of each token is stored."""

    def authenticate(self, request: Request) -> "tuple[User, ApiToken] | None":  # type: ignore[valid-type]
        words = get_authorization_header(request).split()
        if len(words) != 2 or words[0].lower() not in (b"bearer", b"token"):
            return None
        try:
            token = ApiToken.objects.of_secret(words[1].decode("ascii"))
        except UnicodeDecodeError:
            token = None
        if token is None or not token.user.is_active:
            raise AuthenticationFailed("This token is not valid: make a new one on your account page.")
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class TokenScheme(OpenApiAuthenticationExtension):
    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}
