import hashlib
import json
from pathlib import Path

from django.db import migrations

CONTENT = Path(__file__).resolve().parent.parent / "rubrics" / "default-1.json"


def install(apps, schema_editor):
    content = json.loads(CONTENT.read_text(encoding="utf-8"))
    canonical = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    apps.get_model("annotation", "Rubric").objects.get_or_create(
        hash=hashlib.sha256(canonical.encode()).hexdigest(),
        defaults={"key": "default", "version": 1, "content": content},
    )


class Migration(migrations.Migration):
    """Version 1 of the default rubric. The file is part of this migration: another version is another file."""

    dependencies = [("annotation", "0002_campaigns_and_ratings")]
    operations = [migrations.RunPython(install, migrations.RunPython.noop)]
