import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0005_the_desk'),
        ('scenarios', '0002_withdrawn_scenarios'),
    ]

    operations = [
        migrations.AddField(
            model_name='membership',
            name='components',
            field=models.JSONField(blank=True, default=list, verbose_name='components'),
        ),
        migrations.AddField(
            model_name='message',
            name='work_item',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='annotation.workitem'),
        ),
        migrations.AddField(
            model_name='workitem',
            name='extra',
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.CreateModel(
            name='ScenarioFlag',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('fault', models.CharField(choices=[('unnatural', 'unnatural'), ('unsafe', 'unsafe'), ('personal_data', 'personal data'), ('context_missing', 'context missing'), ('reference_wrong', 'wrong reference')], max_length=20, verbose_name='fault')),
                ('note', models.TextField(blank=True)),
                ('at', models.DateTimeField(auto_now=True)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='flags', to='annotation.campaign')),
                ('scenario', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='flags', to='scenarios.scenario')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('campaign', 'scenario', 'by'), name='one_flag_a_person')],
            },
        ),
    ]
