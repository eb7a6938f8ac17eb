"""The switchboard: settings, urls, celery, wsgi. It holds no rule."""

from config.celery import app as celery_app  # so that whoever reads the settings rings on the broker they name

__all__ = ["celery_app"]
__version__ = "0.1.0"
