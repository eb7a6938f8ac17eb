"""Settings, all from the environment; the defaults run everything on SQLite with no other server."""

import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any

import structlog
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _
from environs import Env

BASE_DIR = Path(__file__).resolve().parent.parent
VAR = BASE_DIR / "var"
env = Env()


def _kept_secret(path: Path) -> str:
    """A key made once for this checkout; production sets SECRET_KEY."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        fresh.touch(mode=0o600)
        fresh.write_text(secrets.token_urlsafe(48))
        with suppress(FileExistsError):
            path.hardlink_to(fresh)  # two processes starting at once agree on one key
        fresh.unlink()
    return path.read_text()


DEBUG = env.bool("DEBUG", False)
SECRET_KEY = env.str("SECRET_KEY", "") or _kept_secret(VAR / "secret_key")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", ["127.0.0.1", "localhost", "[::1]", "testserver"])
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", [])
SITE_URL = env.str("SITE_URL", f"http://127.0.0.1:{env.str('PORT', '8000')}")
HTTPS = SITE_URL.startswith("https://")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
    "django_structlog",
    "csp",
    "jobs",
    "scenarios",
    "annotation",
    "reviews",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "annotation.languages.ReaderLanguageMiddleware",
    "annotation.nul_free.NulFreeMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_structlog.middlewares.RequestMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]


def _database() -> dict[str, Any]:
    """The SQLite file by default; DATABASE_URL names a PostgreSQL."""
    VAR.mkdir(exist_ok=True)
    found: dict[str, Any] = env.dj_db_url("DATABASE_URL", f"sqlite:///{VAR / 'concord.sqlite3'}")
    options = found.setdefault("OPTIONS", {})
    if found["ENGINE"].endswith("sqlite3"):
        # IMMEDIATE: writers queue up instead of failing with "database is locked" when they upgrade a read lock.
        options |= {
            "transaction_mode": "IMMEDIATE",
            # Long: SQLite's waiting is not fair, and on an overloaded machine a writer was seen to wait for 9 s.
            "timeout": 60,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
        }
        # Browser tests read the test database from the server's thread: it must be a file.
        found["TEST"] = {"NAME": str(VAR / "test.sqlite3")}
    elif env.bool("DB_POOL", True):
        options["pool"] = {"min_size": 1, "max_size": env.int("DB_POOL_SIZE", 8), "timeout": 20}
    else:
        found["CONN_MAX_AGE"] = 60
    return found


DATABASES = {"default": _database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
if env.str("CACHE_URL", ""):
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": env.str("CACHE_URL")}}

# People and sign-in
AUTH_USER_MODEL = "annotation.User"
AUTHENTICATION_BACKENDS = ["annotation.sign_in.ByName"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "annotation:home"
ACCOUNT_ADAPTER = "annotation.sign_in.InvitedOnly"
ACCOUNT_FORMS = {"login": "annotation.sign_in.SignInForm"}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_SESSION_REMEMBER = True
SESSION_COOKIE_AGE = 60 * 60 * 24 * 14
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.bool("BEHIND_PROXY", False) else None
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_SSL_REDIRECT = False  # the proxy's work
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
INVITATION_DAYS = 14

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}

# Languages: English in the source, Simplified Chinese in config/locale.
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("zh-hans", _("Simplified Chinese"))]
LOCALE_PATHS = [BASE_DIR / "config" / "locale"]
LANGUAGE_COOKIE_HTTPONLY = False
USE_I18N = True
USE_TZ = True
TIME_ZONE = env.str("TIME_ZONE", "UTC")

# Files
STATIC_URL = "/static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", str(VAR / "static")))
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.storage.HashedModulesStorage"},
}
MEDIA_ROOT = Path(env.str("MEDIA_ROOT", str(VAR / "media")))
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

# Mail: where no server is set, links are copied by hand and mail goes to the log.
EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
MAIL_IS_SENT = bool(env.str("EMAIL_URL", ""))
if MAIL_IS_SENT:
    _mail = env.dj_email_url("EMAIL_URL")
    EMAIL_BACKEND, EMAIL_HOST, EMAIL_PORT = _mail["EMAIL_BACKEND"], _mail["EMAIL_HOST"], _mail["EMAIL_PORT"]
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _mail["EMAIL_HOST_USER"], _mail["EMAIL_HOST_PASSWORD"]
    EMAIL_USE_TLS, EMAIL_USE_SSL = _mail["EMAIL_USE_TLS"], _mail["EMAIL_USE_SSL"]
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", "concord@localhost")

# The API
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "annotation.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["annotation.api.parsing.StrictJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "annotation.api.problems.problem_json",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Concord",
    "DESCRIPTION": "Human judgement of companion language models: campaigns, ratings, cases, agreement, releases.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "SCHEMA_PATH_PREFIX": r"/api/v1",
}

# Background work: the broker is only the bell (see jobs/).
CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", "filesystem://localhost/")
CELERY_TASK_IGNORE_RESULT = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_TIME_LIMIT = 840
if CELERY_BROKER_URL.startswith("filesystem"):
    _broker = Path(env.str("BROKER_FOLDER", str(VAR / "broker")))
    _queue, _control = _broker / "queue", _broker / "control"
    for _folder in (_queue, _control):
        _folder.mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {
        "data_folder_in": str(_queue),
        "data_folder_out": str(_queue),
        "control_folder": str(_control),
    }
elif CELERY_BROKER_URL.startswith("redis"):
    # visibility_timeout above the task time limit, or a long task would be given out twice.
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "visibility_timeout": 900,
        "unacked_restore_interval": 10,
        "unacked_restore_throttle": 1,
    }
CELERY_BEAT_SCHEDULE = {
    "sweep-jobs": {"task": "jobs.tasks.sweep", "schedule": 30.0},
    "sweep-imports": {"task": "scenarios.tasks.sweep_imports", "schedule": 60.0},
    "sweep-leases": {"task": "annotation.tasks.sweep_leases", "schedule": 60.0},
    "sweep-case-leases": {"task": "reviews.tasks.sweep_case_leases", "schedule": 60.0},
    "sweep-live-agreement": {"task": "reviews.tasks.sweep_live_agreement", "schedule": 10.0},
}

# The bench's own settings
# Their results hold figures of agreement: pages and an API of their own ask each time who may see them.
JOBS_WITH_PAGES_OF_THEIR_OWN = ("compare_agreement", "compare_overlaps", "make_plan")
LEASE_MINUTES = env.int("LEASE_MINUTES", 30)
LEASE_MAX_HOURS = 4

_every_line: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.processors.TimeStamper(fmt="iso"),
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
]
structlog.configure(
    processors=[
        structlog.stdlib.filter_by_level,
        *_every_line,
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": structlog.stdlib.ProcessorFormatter,
            "foreign_pre_chain": _every_line,  # for lines that Django and Celery write
            "processors": [
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback),
            ],
        }
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {"concord": {"level": "INFO"}},
}
