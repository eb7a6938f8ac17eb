from django.db import migrations


def remember(apps, schema_editor):
    """Items that have or had a case: experts could read why."""
    cases = apps.get_model("reviews", "Case").objects.values("work_item")
    apps.get_model("annotation", "WorkItem").objects.filter(pk__in=cases).update(was_in_review=True)


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0009_was_in_review'),
        ('reviews', '0003_queue_indexes'),
    ]

    operations = [
        migrations.RunPython(remember, migrations.RunPython.noop),
    ]
