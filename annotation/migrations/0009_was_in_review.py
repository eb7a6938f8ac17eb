from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0008_who_was_called'),
    ]

    operations = [
        migrations.AddField(
            model_name='workitem',
            name='was_in_review',
            field=models.BooleanField(default=False),
        ),
    ]
