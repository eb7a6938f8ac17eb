"""A release made, and the rows of its files."""

import json

from reviews.services.releases import publish_release


def rows(release, name):
    return [json.loads(line) for line in (release.path / name).read_text("utf-8").splitlines()]


def publish(study, **options):
    return publish_release(campaign=study, **options).release
