"""Installing a rubric. The same content again is the same version; other content is a new one."""

from typing import Any

from django.db import models, transaction

from annotation.models import Rubric
from annotation.models.rubric import content_hash


@transaction.atomic
def install_rubric(*, key: str, content: dict[str, Any]) -> Rubric:
    """The rubric with this content, made as the key's next version if it is new."""
    found = Rubric.objects.filter(hash=content_hash(content)).first()
    if found is not None:
        return found
    highest = Rubric.objects.filter(key=key).aggregate(highest=models.Max("version"))["highest"] or 0
    return Rubric.objects.create(key=key, version=highest + 1, content=content, hash=content_hash(content))
