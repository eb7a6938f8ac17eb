from django.db import transaction

from scenarios.models import Companion


@transaction.atomic
def describe_companion(*, name: str, family: str = "", parameters: str = "", openness: str = "unknown") -> Companion:
    """What is known of a model under test; made if there is none of this name yet."""
    about = {"family": family, "parameters": parameters, "openness": openness}
    companion, _created = Companion.objects.update_or_create(name=name, defaults=about)
    return companion
