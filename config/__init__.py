"""The switchboard: settings, urls, celery, wsgi. It holds no rule."""

__version__ = "0.1.0"
