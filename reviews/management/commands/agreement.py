from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.errors import ConcordError
from annotation.management.door import ConcordCommand, campaign_of
from reviews.errors import OptionsInvalid

HELP = """Agreement between raters, of a tidy CSV file or of a campaign.

CSV has the columns item_id,rater_id,dimension,value and may have cluster_id and order; no database is touched for it.
Of a campaign the counted ratings up to its overlap are read, and the report is kept.
"""


class Command(ConcordCommand):
    help = HELP

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("csv", nargs="?", metavar="CSV", help="tidy CSV of ratings")
        parser.add_argument("--campaign", metavar="SLUG", help="a campaign's ratings instead of a file")
        parser.add_argument("--level", default="ordinal", choices=["nominal", "ordinal", "interval", "ratio"])
        parser.add_argument("--scale", metavar="1-5", help="the scale; else the integers from lowest to highest")
        parser.add_argument("--cluster", metavar="COLUMN", help="column that is resampled; else cluster_id if there")
        parser.add_argument("--bootstrap", type=int, default=10_000, metavar="N", help="replicates; 0: no intervals")
        parser.add_argument("--raters", metavar="A,B", help="only these raters, by their ids or codes; else all")
        by = "slices by this column of the file too; may be given again"
        parser.add_argument("--by", action="append", default=[], metavar="COLUMN", help=by)
        parser.add_argument("--seed", type=int, metavar="N", help="of the replicates; else from the data's hash")

    def run(self, **options: Any) -> dict[str, Any]:
        if (options["csv"] is None) == (options["campaign"] is None):
            raise CommandError("Name either a CSV file or --campaign SLUG.", returncode=1)
        if not 0 <= options["bootstrap"] <= 1_000_000:
            raise OptionsInvalid("--bootstrap is 0 to 1,000,000 replicates.")
        if options["seed"] is not None and not 0 <= options["seed"] < 2**63:
            raise OptionsInvalid("--seed is a whole number from 0 on.")
        if options["raters"] is not None:
            options["raters"] = tuple(filter(None, map(str.strip, options["raters"].split(","))))
            if not options["raters"]:
                raise OptionsInvalid("--raters names no rater.")
        if options["campaign"] is not None:
            if options["by"]:
                raise OptionsInvalid("--by is for files: the report of a campaign has its slices.")
            return self._of_campaign(options)
        return self._of_file(options)

    def _of_file(self, options: dict[str, Any]) -> dict[str, Any]:
        from reviews.statistics.by_column import agreement_by
        from reviews.statistics.reading import of_raters, read_ratings
        from reviews.statistics.scales import ScaleRefused
        from reviews.statistics.tidy import RatingsRefused

        by = list(dict.fromkeys(map(str.strip, options["by"])))
        path, named = options["csv"], {name: options[name] for name in ("level", "scale", "cluster")}
        try:
            frame = read_ratings(path, by=by, **named)
            if options["raters"]:
                frame = of_raters(frame, options["raters"])
            return agreement_by(frame, by, bootstrap=options["bootstrap"], seed=options["seed"], **named)
        except OSError as error:
            raise ConcordError(f"{path}: {error.strerror}") from error
        except (RatingsRefused, ScaleRefused) as error:
            raise ConcordError(f"{path}: {error}") from error

    def _of_campaign(self, options: dict[str, Any]) -> dict[str, Any]:
        from reviews.services.agreement import Options, compute_agreement

        asked = ("level", "scale", "cluster", "bootstrap", "seed", "raters")
        named: Options = Options(**{name: options[name] for name in asked})
        report, _is_new = compute_agreement(campaign=campaign_of(options["campaign"]), options=named)
        result: dict[str, Any] = report.result
        return result

    def say(self, result: dict[str, Any]) -> None:
        from reviews.report.lines import lines_of

        for line in lines_of(result):
            self.stdout.write(line)
