"""Whether this site sends mail: pages promise no letter that would not come."""

from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
def mail_is_sent() -> bool:
    """{% mail_is_sent as mailed %}: a mail server is set."""
    return bool(settings.MAIL_IS_SENT)
