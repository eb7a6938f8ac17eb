from typing import Any

from django.core.management.base import CommandParser

from annotation.errors import ConcordError
from annotation.management.door import ConcordCommand, campaign_of
from annotation.services.imported import ImportedScore, RatingsRefused, import_ratings


class Command(ConcordCommand):
    """Stands in this room because the tidy reader does (reviews/statistics); the rule is annotation's."""

    help = "Bring ratings made elsewhere into a draft, open or paused campaign."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("csv", help="tidy CSV: item_id,rater_id,dimension,value")
        parser.add_argument("--campaign", required=True, metavar="SLUG")

    def run(self, **options: Any) -> dict[str, Any]:
        from reviews.statistics import reading

        campaign = campaign_of(options["campaign"])
        scales = {(d.lowest, d.highest) for d in campaign.rubric.dimensions}
        lowest, highest = min(low for low, _ in scales), max(high for _, high in scales)
        path = options["csv"]
        try:
            frame = reading.read_ratings(path, scale=f"{lowest}-{highest}")
        except OSError as error:
            raise ConcordError(f"{path}: {error.strerror}") from error
        except reading.RatingsRefused as error:
            raise ConcordError(f"{path}: {error}") from error
        if "rater_id" not in frame or frame["rater_id"].isna().any():
            raise ConcordError(f"{path}: a rater_id is needed on each line, to know whose rating it is.")
        if "dimension" not in frame:
            raise ConcordError(f"{path}: line 1: no column 'dimension', to know what was rated.")
        rated = frame[frame["value"].notna()]
        columns = (rated["line"], rated["item_id"], rated["rater_id"], rated["dimension"], rated["value"])
        scores = [
            ImportedScore(int(line), str(item), str(rater), str(dimension), int(value))
            for line, item, rater, dimension, value in zip(*columns, strict=True)
        ]
        try:
            report = import_ratings(campaign=campaign, scores=scores)
        except RatingsRefused as error:
            raise ConcordError(f"{path}, {error}") from error
        return {
            "campaign": campaign.slug,
            "ratings": report.ratings,
            "scores": report.scores,
            "unchanged": report.unchanged,
            "missing": len(frame) - len(rated),
            "raters_made": len(report.raters_made),
            "items_over_the_overlap": report.over_overlap,
        }

    def say(self, result: dict[str, Any]) -> None:
        if result["scores"] == 0:
            self.stdout.write(f"Nothing new: {result['unchanged']} scores were there already.")
        super().say(result)
        if result["items_over_the_overlap"]:
            self.stdout.write("More ratings than the overlap were kept; agreement reads the first ones up to it.")
