"""Publishing a release: numbered, immutable, hashed; the same data again is the same release, byte for byte.

Imports pyarrow and pandas: for the worker and the commands, never for what serves pages.
"""

import hashlib
import json
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import Campaign, User
from reviews.errors import NoGold, ReleaseDamaged
from reviews.gold import labels_of
from reviews.models import Release
from reviews.release.build import build, is_intact
from reviews.release.rows import Naming
from reviews.services.agreement import REPLICATES, Options, result_of, seed_of
from reviews.services.base_ratings import frame_of
from reviews.services.records import records_of, rulings_of
from reviews.services.release_facts import facts_of, naming_of
from reviews.services.snapshot import Outside, snapshot

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Published:
    """is_new: False where nothing had changed, and the release is the one that was there."""

    release: Release
    is_new: bool


@dataclass(frozen=True)
class Plan:
    """What makes a release this one: its number, its time, its salt."""

    number: int
    created_at: datetime
    salt: str


def publish_release(
    *,
    campaign: Campaign,
    by: User | None = None,
    without_texts: bool = False,
    progress: Progress | None = None,
) -> Published:
    """A new release of what stands now; the earlier one where the same data was released with the same parameters.

    A release whose files were damaged is made again, which must give the same hashes.
    Raises NoGold where no item has a label, ReleaseDamaged.
    """
    campaign = Campaign.objects.select_related("rubric", "dataset").get(pk=campaign.pk)
    parameters = {"without_texts": without_texts, "bootstrap": REPLICATES}
    while True:
        with _folder_to_build_in() as folder:
            with snapshot() as outside:
                telling = _Telling(campaign, progress, outside)
                data_version = survey(campaign, passed=telling.passed)
                kept = _kept(campaign, data_version, parameters)
                if kept is not None and is_intact(kept.path, kept.manifest):
                    return Published(kept, is_new=False)
                plan = _plan_of(kept) if kept else _next_plan(campaign)
                manifest = _build(campaign, folder, plan, data_version, parameters, telling)
            if kept is not None:
                return _mended(kept, folder, manifest)
            release = _keep(campaign, folder, plan, manifest, by)
            if release is not None:
                return Published(release, is_new=True)
            # Someone else published meanwhile: the number is theirs, and perhaps the data too.


def survey(campaign: Campaign, *, passed: Callable[[], None] = lambda: None) -> str:
    """The data version: a hash of everything that a release is made from. passed: called after each item.

    Raises NoGold where no item has a label.
    """
    closed, dimensions = campaign.state == Campaign.State.CLOSED, [d.key for d in campaign.rubric.dimensions]
    settled = {
        "campaign": [campaign.slug, campaign.title, closed, campaign.overlap, campaign.seed, campaign.selection],
        "rule": [campaign.rule, campaign.rule_version],
        "rubric": campaign.rubric.hash,
        "dataset": [campaign.dataset.slug, campaign.dataset.title],
    }
    digest = hashlib.sha256(_line(settled))
    labels = 0
    for record in records_of(campaign):
        digest.update(_line(vars(record)))
        labels += len(labels_of(record.history(), dimensions=dimensions, closed=closed))
        passed()
    for ruling in rulings_of(campaign):
        digest.update(_line(vars(ruling)))
    if not labels:
        raise NoGold
    return digest.hexdigest()


def _line(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, default=_plain).encode() + b"\n"


def _plain(value: Any) -> Any:
    """A time as text; a record as what it holds."""
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else vars(value)


def _kept(campaign: Campaign, data_version: str, parameters: dict[str, Any]) -> Release | None:
    same = Release.objects.filter(campaign=campaign, data_version=data_version).order_by("-number")
    return next((release for release in same if release.parameters == parameters), None)


def _plan_of(release: Release) -> Plan:
    return Plan(release.number, release.created_at, release.salt)


def _next_plan(campaign: Campaign) -> Plan:
    latest = Release.objects.latest_of(campaign)
    now = timezone.now().replace(microsecond=0)
    return Plan(latest.number + 1 if latest else 1, now, secrets.token_hex(16))


class _Telling:
    """How far it is, told from inside the snapshot. Every item is read twice: to see what there is, to write it."""

    def __init__(self, campaign: Campaign, progress: Progress | None, outside: Outside) -> None:
        self._progress, self._outside = progress, outside
        self._done, self._total = 0, 2 * campaign.items.count()

    def passed(self) -> None:
        """One item more."""
        self._done += 1
        if self._done % 100 == 0 or self._done == self._total:
            self.pulse()

    def pulse(self) -> None:
        """Still at it."""
        if self._progress is not None:
            self._outside(self._progress, self._done, self._total)


def _build(
    campaign: Campaign,
    folder: Path,
    plan: Plan,
    data_version: str,
    parameters: dict[str, Any],
    telling: _Telling,
) -> dict[str, Any]:
    naming = naming_of(campaign, plan.salt)
    return build(
        folder,
        facts=facts_of(
            campaign,
            number=plan.number,
            created_at=plan.created_at,
            data_version=data_version,
            parameters=parameters,
        ),
        naming=naming,
        records=records_of(campaign),
        rulings=rulings_of(campaign),
        agreement=_agreement(campaign, naming, pulse=telling.pulse),
        passed=telling.passed,
    )


def _agreement(campaign: Campaign, naming: Naming, *, pulse: Callable[[], None]) -> dict[str, Any]:
    frame = frame_of(campaign, names=naming.raters, pulse=pulse)
    if frame.empty:  # gold of decisions alone: their ratings were withdrawn
        return {"data": frame.attrs, "parameters": {}, "dimensions": {}}
    options = Options(seed=seed_of(frame.attrs["sha256"]))
    return result_of(frame, options.asked(campaign))


@contextmanager
def _folder_to_build_in() -> Iterator[Path]:
    """Beside where the release will lie, so that it is moved there in one step; gone afterwards."""
    root = Path(settings.MEDIA_ROOT) / "releases"
    root.mkdir(parents=True, exist_ok=True)
    folder = Path(mkdtemp(prefix=".making-", dir=root))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _keep(campaign: Campaign, folder: Path, plan: Plan, manifest: dict[str, Any], by: User | None) -> Release | None:
    """The release's row, its files in place; None where its number was taken meanwhile."""
    with transaction.atomic():
        Campaign.objects.select_for_update().get(pk=campaign.pk)
        if Release.objects.filter(campaign=campaign, number__gte=plan.number).exists():
            return None
        release = Release(
            campaign=campaign,
            number=plan.number,
            data_version=manifest["data_version"],
            parameters=manifest["parameters"],
            manifest=manifest,
            folder=f"releases/{campaign.slug}/{plan.number}",
            created_at=plan.created_at,
            created_by=by,
            salt=plan.salt,
        )
        release.save(force_insert=True)
        _move(folder, release.path)
    return release


def _move(folder: Path, to: Path) -> None:
    """What lies there already has no row in the database, or is damaged."""
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(to, ignore_errors=True)
    folder.rename(to)


def _mended(release: Release, folder: Path, manifest: dict[str, Any]) -> Published:
    """The damaged release made again, if it is that release to the byte."""
    if manifest["files"] != release.manifest["files"] or not is_intact(folder, release.manifest):
        told = {"number": release.number, "was": release.manifest["code_version"], "now": manifest["code_version"]}
        raise ReleaseDamaged(
            _(
                "The files of release %(number)s are damaged and cannot be made again to the byte "
                "(made by code %(was)s, now %(now)s). Restore them from a copy."
            )
            % told
        )
    _move(folder, release.path)
    return Published(release, is_new=False)
