from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.errors import ConcordError
from annotation.management.door import ConcordCommand, campaign_of


class Command(ConcordCommand):
    help = "Publish a release of a campaign and copy its files into a folder. Where nothing has changed: the last one."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--campaign", required=True, metavar="SLUG")
        parser.add_argument("--out", required=True, metavar="DIR", help="an empty or new folder, or an earlier export")
        parser.add_argument("--without-texts", action="store_true", help="leave out the responses and quoted passages")

    def run(self, **options: Any) -> dict[str, Any]:
        from reviews.release.export import copy_release
        from reviews.services.releases import publish_release

        out = Path(options["out"])
        published = publish_release(campaign=campaign_of(options["campaign"]), without_texts=options["without_texts"])
        release = published.release
        try:
            copy_release(release.path, release.manifest, out=out)
        except OSError as error:
            raise ConcordError(f"{out}: {error.strerror}") from error
        return {
            "campaign": options["campaign"],
            "release": release.number,
            "new": published.is_new,
            "data_version": release.data_version,
            "out": str(out),
            "counts": release.manifest["counts"],
            "files": {name: about["sha256"] for name, about in release.manifest["files"].items()},
        }

    def say(self, result: dict[str, Any]) -> None:
        counts, left_out = result["counts"], result["counts"]["items_left_out"]
        if result["new"]:
            self.stdout.write(f"Release {result['release']} of {result['campaign']}, in {result['out']}")
        else:
            self.stdout.write(
                f"Nothing has changed since release {result['release']} of {result['campaign']}: "
                f"it is that one again, byte for byte, in {result['out']}"
            )
        labels = ", ".join(f"{n} {method}" for method, n in counts["labels"].items())
        self.stdout.write(f"{counts['items_with_gold']} of {counts['items']} items have gold labels: {labels}")
        self.stdout.write(
            f"left out: {left_out['case_open']} with an open case, {left_out['wants_raters']} that want ratings, "
            f"{left_out['withdrawn']} withdrawn"
        )
