"""Background work whose truth is a Job row; Celery is only the bell that wakes a worker."""
