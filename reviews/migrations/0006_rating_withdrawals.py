import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0011_retrained_and_retold'),
        ('reviews', '0005_reference_readings'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='RatingWithdrawal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateTimeField()),
                ('reason', models.TextField()),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('finished_at', models.DateTimeField(null=True)),
                ('reverted_at', models.DateTimeField(null=True)),
                ('restored_at', models.DateTimeField(null=True)),
                ('annotator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rating_withdrawals', to='annotation.campaign')),
                ('reverted_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='WithdrawnRating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('was', models.CharField(blank=True, choices=[('counted', 'counted'), ('surplus', 'surplus'), ('superseded', 'superseded'), ('withdrawn', 'withdrawn'), ('check', 'check')], max_length=16)),
                ('wants_raters', models.BooleanField(default=False)),
                ('back_as', models.CharField(blank=True, choices=[('counted', 'counted'), ('surplus', 'surplus'), ('superseded', 'superseded'), ('withdrawn', 'withdrawn'), ('check', 'check')], max_length=16)),
                ('rating', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotation.rating')),
                ('withdrawal', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rows', to='reviews.ratingwithdrawal')),
            ],
        ),
        migrations.AddIndex(
            model_name='ratingwithdrawal',
            index=models.Index(fields=['campaign', 'annotator'], name='withdrawals_of_a_rater'),
        ),
        migrations.AddConstraint(
            model_name='withdrawnrating',
            constraint=models.UniqueConstraint(fields=('withdrawal', 'rating'), name='one_row_a_withdrawn_rating'),
        ),
    ]
