"""An agreement report as lines of text, for a terminal: words first, then the numbers."""

from collections.abc import Iterator, Mapping
from typing import Any

from reviews.figures import Figure
from reviews.report.rows import figures_of

WIDTH = 42


def lines_of(result: Mapping[str, Any]) -> Iterator[str]:
    """Of what `agreement --json` prints."""
    data, parameters = result["data"], result["parameters"]
    raters = "" if data["raters"] is None else f" by {_raters(data, parameters)}"
    yield f"{data['ratings']} ratings{raters} of {data['units']} units, {data['missing']} missing ({data['source']})"
    yield from (f"  {sentence}" for sentence in data["said"])
    for name, entry in result["dimensions"].items():
        yield ""
        yield f"{name} ({entry['alpha']['level']}, scale {entry['scale']})"
        yield from (f"  {sentence}" for sentence in entry["words"])
        yield from (f"  {words:<{WIDTH}} {_figure(figure)}" for words, figure in figures_of(entry))
        counts = ", ".join(f"{level}: {count}" for level, count in entry["distribution"].items())
        yield f"  {'Ratings at each level':<{WIDTH}} {counts or 'none'}"
        for by in parameters.get("by", ()):
            yield f"  Krippendorff’s alpha by {by}"
            yield from (_slice(one) for one in entry["slices"] if one["by"] == by)
    yield ""
    replicates = f"{parameters['bootstrap']} cluster replicates, seed {parameters['seed']}"
    yield f"{replicates}; data {data['sha256'][:12]}; all of it, by pair and by rater, with --json"


def _slice(one: Mapping[str, Any]) -> str:
    return f"    {one['key'] or 'no value':<{WIDTH - 2}} {_figure(Figure.of(one['alpha']))}; {one['units']} units"


def _raters(data: Mapping[str, Any], parameters: Mapping[str, Any]) -> str:
    chosen = parameters.get("raters")
    if not chosen:
        return f"{data['raters']} raters"
    return f"{len(chosen)} of {parameters['raters_of']} raters ({', '.join(chosen)})"


def _figure(figure: Figure) -> str:
    interval = f" [{figure.low}, {figure.high}]" if figure.low else ""
    why = f" ({figure.why})" if figure.why else ""
    return f"{figure.text or '-'}{interval}{why}"
