from django.db import migrations, models


def mark_those_who_were_called(apps, schema_editor):
    """So far it was told from the item alone: those beyond its first raters, in order of rank."""
    items = apps.get_model("annotation", "WorkItem").objects.filter(extra__gt=0)
    ratings = apps.get_model("annotation", "Rating").objects
    for pk, base in items.values_list("pk", models.F("needed") - models.F("extra")).iterator():
        first = sorted(set(ratings.filter(work_item=pk, status="counted").values_list("rank", flat=True)))[:base]
        if len(first) == base:
            ratings.filter(work_item=pk, rank__gt=first[-1]).update(is_extra=True)


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0007_lessons'),
    ]

    operations = [
        migrations.AddField(
            model_name='rating',
            name='is_extra',
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(mark_those_who_were_called, migrations.RunPython.noop),
    ]
