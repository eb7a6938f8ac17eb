from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandParser

from annotation.errors import ConcordError
from annotation.management.door import ConcordCommand
from reviews.errors import OptionsInvalid, PlanInvalid
from reviews.plan_reading import DEFAULTS, NAMES, PlanOptions, read_plan
from reviews.plan_refusals import as_plan_invalid

HELP = """What designs of a study would come to, before any rating is paid for.

From stated assumptions, or from a pilot (a tidy CSV, as `agreement` reads it) whose estimates what is stated replaces.
No database is touched.
"""
COLUMNS = (
    ("scenarios", "scenarios", ",d"),
    ("responses", "responses", "d"),
    ("raters", "raters", "d"),
    ("ratings", "ratings", ",d"),
    ("alpha", "alpha", ".3f"),
    ("half_width", "± alpha", ".3f"),
    ("consensus_error", "error", ".3f"),
    ("consensus_off", "off by 1", ".1%"),
    ("sent", "experts", ".1%"),
    ("hours", "hours", ",.0f"),
    ("cost", "cost", ",.0f"),
)


class Command(ConcordCommand):
    help = HELP

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--distribution", metavar="1:2,2:5,...", help="levels and their weights, in any unit")
        parser.add_argument("--alpha", type=float, help="ordinal alpha, 0 to below 1")
        parser.add_argument("--scenario-share", type=float, help="scenarios' share of the items' true variance, 0 to 1")
        parser.add_argument("--pilot", metavar="CSV", help="tidy CSV of ratings to estimate these three from")
        parser.add_argument("--dimension", metavar="NAME", help="one dimension of the pilot; else all of them")
        parser.add_argument("--scale", metavar="1-5", help="the scale; else the whole numbers from lowest to highest")
        parser.add_argument("--scenarios", default="60,120,300", metavar="N,...", help="designs: scenarios")
        parser.add_argument("--responses", default="5", metavar="N,...", help="designs: responses a scenario")
        parser.add_argument("--raters", default="2,3,5", metavar="N,...", help="designs: raters an item")
        parser.add_argument("--width", type=float, metavar="W", help="alpha is wanted to ± W: the cheapest is named")
        parser.add_argument(
            "--range", type=float, default=DEFAULTS.range, metavar="N", help="spread that goes to an expert"
        )
        parser.add_argument("--cut", type=float, metavar="N", help="score that goes to an expert; of safety, if there")
        parser.add_argument(
            "--audit", type=float, default=DEFAULTS.audit, metavar="SHARE", help="agreed items that go too"
        )
        parser.add_argument("--seconds", type=float, default=DEFAULTS.seconds, help="for one rating")
        parser.add_argument(
            "--case-minutes", type=float, default=DEFAULTS.case_minutes, help="of an expert for one item"
        )
        parser.add_argument("--wage", type=float, default=DEFAULTS.wage, help="an hour, of annotators")
        parser.add_argument("--expert-wage", type=float, default=DEFAULTS.expert_wage, help="an hour, of experts")
        parser.add_argument("--seed", type=int, default=DEFAULTS.seed, metavar="N", help="of the simulations")
        parser.add_argument(
            "--simulations", type=int, default=DEFAULTS.simulations, metavar="N", help="studies a design"
        )

    def run(self, **options: Any) -> dict[str, Any]:
        path = options["pilot"]
        try:
            asked = {name: options[name] for name in sorted(NAMES) if options[name] is not None}
            asked["distribution"] = _distribution(options["distribution"])
            read = read_plan(asked, has_pilot=path is not None)
            from reviews.services.plan import make_plan

            return make_plan(options=read, pilot=_pilot(path, read) if path is not None else None)
        except PlanInvalid as refusal:
            raise OptionsInvalid(_in_one_line(refusal)) from refusal

    def say(self, result: dict[str, Any]) -> None:
        for line in lines_of(result):
            self.stdout.write(line)


def _distribution(text: str | None) -> dict[float, float] | None:
    from reviews.statistics.planning import PlanRefused, parse_distribution

    try:
        return None if text is None else parse_distribution(text)
    except PlanRefused as refused:
        raise as_plan_invalid(refused) from refused


def _pilot(path: str, options: PlanOptions) -> Any:
    from reviews.services.plan import Pilot
    from reviews.statistics.reading import read_ratings
    from reviews.statistics.scales import ScaleRefused
    from reviews.statistics.tidy import RatingsRefused, code_ratings

    try:
        ratings = code_ratings(read_ratings(path, scale=options.scale), scale=options.scale)
    except OSError as error:
        raise ConcordError(f"{path}: {error.strerror}") from error
    except (RatingsRefused, ScaleRefused) as error:
        raise ConcordError(f"{path}: {error}") from error
    return Pilot(ratings, {"file": path})


def _in_one_line(refusal: PlanInvalid) -> str:
    """By the names that the options have here."""
    named = [f"--{name.replace('_', '-')}: {fault}" for name, faults in refusal.fields.items() for fault in faults]
    return " ".join(named) or str(refusal)


def lines_of(result: dict[str, Any]) -> Iterator[str]:
    """A plan in words: what is supposed, the designs side by side, and the one that is recommended."""
    supposed, designs = result["assumptions"], result["designs"]
    for name, one in supposed["dimensions"].items():
        shares = ", ".join(f"{level}: {share:.1%}" for level, share in one["distribution"].items())
        yield f"{name}: alpha {one['alpha']:.3f}, scenario share {one['scenario_share']:.2f}, {shares}"
    yield from (f"  {sentence}" for sentence in supposed["said"])
    yield ""
    yield from _table(designs, result["recommended"])
    several = len(supposed["dimensions"]) > 1
    for name in supposed["dimensions"] if several else ():
        yield ""
        yield name
        yield from _table([design | design["dimensions"][name] for design in designs], result["recommended"])
    yield ""
    why = {design["reason"] for design in designs if design["reason"]}
    yield from (f"No interval: {reason}." for reason in sorted(why))
    yield result["why"]


def _table(designs: list[dict[str, Any]], recommended: int | None) -> Iterator[str]:
    rows = [[title for _name, title, _form in COLUMNS]]
    for design in designs:
        cells = [(design[name], form) for name, _title, form in COLUMNS]
        rows.append(["-" if value is None else format(value, form) for value, form in cells])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for at, row in enumerate(rows):
        mark = "*" if recommended is not None and at == recommended + 1 else " "
        yield f"{mark} " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
