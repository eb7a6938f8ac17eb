import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def copy_from_items(apps, schema_editor):
    """What the queue filters by, of the cases that were there before."""
    Case = apps.get_model("reviews", "Case")
    for case in Case.objects.select_related("work_item__scenario").iterator(chunk_size=500):
        case.component, case.language = case.work_item.scenario.component, case.work_item.language
        named = {reason["dimension"] for reason in case.reasons} - {None}
        case.dimensions = f" {' '.join(sorted(named))} " if named else " "
        spreads = [reason["detail"].get("high", 0) - reason["detail"].get("low", 0) for reason in case.reasons]
        case.spread = max(spreads, default=0)
        case.save(update_fields=["component", "language", "dimensions", "spread"])


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0006_the_bench'),
        ('reviews', '0001_cases_decisions_releases'),
        ('scenarios', '0002_withdrawn_scenarios'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='CaseRemark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField()),
                ('at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ['at', 'id'],
            },
        ),
        migrations.CreateModel(
            name='SavedView',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('query', models.CharField(max_length=1000)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ['name', 'id'],
            },
        ),
        migrations.CreateModel(
            name='ScenarioRuling',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('verdict', models.CharField(choices=[('keep', 'keep'), ('revise', 'revise'), ('withdraw', 'withdraw')], max_length=8)),
                ('fault', models.CharField(blank=True, choices=[('unnatural', 'unnatural'), ('unsafe', 'unsafe'), ('personal_data', 'personal data'), ('context_missing', 'context missing'), ('reference_wrong', 'wrong reference')], max_length=20)),
                ('reason', models.TextField()),
                ('at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ['at', 'id'],
            },
        ),
        migrations.AddField(
            model_name='case',
            name='component',
            field=models.CharField(default='', max_length=16),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='case',
            name='dimensions',
            field=models.CharField(default=' ', max_length=200),
        ),
        migrations.AddField(
            model_name='case',
            name='drawn_twice',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='case',
            name='language',
            field=models.CharField(default='', max_length=16),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='case',
            name='opinions_needed',
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.AddField(
            model_name='case',
            name='opinions_in',
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='case',
            name='round',
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='case',
            name='spread',
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.RunPython(copy_from_items, migrations.RunPython.noop),
        migrations.AddField(
            model_name='decision',
            name='kind',
            field=models.CharField(choices=[('ruling', 'decision'), ('opinion', 'independent opinion')], default='ruling', max_length=8),
        ),
        migrations.AddField(
            model_name='decision',
            name='round',
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddConstraint(
            model_name='decision',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'opinion')), fields=('case', 'expert', 'round'), name='one_opinion_an_expert'),
        ),
        migrations.AddField(
            model_name='caseremark',
            name='author',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='caseremark',
            name='case',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='remarks', to='reviews.case'),
        ),
        migrations.AddField(
            model_name='savedview',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='saved_views', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='scenarioruling',
            name='by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='scenarioruling',
            name='campaign',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='scenario_rulings', to='annotation.campaign'),
        ),
        migrations.AddField(
            model_name='scenarioruling',
            name='revised_to',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='scenarios.scenario'),
        ),
        migrations.AddField(
            model_name='scenarioruling',
            name='scenario',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rulings', to='scenarios.scenario'),
        ),
        migrations.AddConstraint(
            model_name='savedview',
            constraint=models.UniqueConstraint(fields=('user', 'name'), name='one_view_a_name'),
        ),
        migrations.AddConstraint(
            model_name='scenarioruling',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('revised_to__isnull', False), ('verdict', 'revise')), models.Q(models.Q(('verdict', 'revise'), _negated=True), ('revised_to__isnull', True)), _connector='OR'), name='a_revision_names_its_version'),
        ),
    ]
