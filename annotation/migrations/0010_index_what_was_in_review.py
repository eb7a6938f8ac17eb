from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0009_was_in_review'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='workitem',
            index=models.Index(condition=models.Q(('was_in_review', True)), fields=['campaign'], name='item_was_in_review'),
        ),
    ]
