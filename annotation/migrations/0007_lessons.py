from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0006_the_bench'),
    ]

    operations = [
        migrations.AddField(
            model_name='message',
            name='outcome',
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name='workitem',
            name='in_guideline',
            field=models.BooleanField(default=False),
        ),
        migrations.AlterField(
            model_name='rubric',
            name='key',
            field=models.SlugField(max_length=80),
        ),
    ]
