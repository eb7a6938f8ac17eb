"""The charts of a report as Vega-Lite specifications: made here, drawn in the browser, each beside its table.

Colours are names of the style sheet's tokens ("--accent"); static/js/parts/charts.js puts in what they are in the
reader's theme. Values carry the words that a table shows, so that a chart and its table never differ.
"""

from collections.abc import Mapping, Sequence
from typing import Any

Spec = dict[str, Any]
Values = Sequence[Mapping[str, Any]]

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
RELY, TENTATIVE = 0.8, 0.667
STEP, WIDE = 26, 230


def _spec(values: Values, described: str, **more: Any) -> Spec:
    text = {"labelColor": "--ink-soft", "titleColor": "--ink-soft", "labelFontSize": 12, "titleFontSize": 12}
    return {
        "$schema": SCHEMA,
        "description": described,
        "data": {"values": list(values)},
        "background": None,
        "config": {
            "font": "system-ui, sans-serif",
            "view": {"stroke": None},
            "axis": {
                **text,
                "titleFontWeight": "normal",
                "gridColor": "--line",
                "domainColor": "--line-strong",
                "tickColor": "--line-strong",
                "labelLimit": 220,
            },
            "header": {"labelColor": "--ink", "labelFontSize": 13, "labelFontWeight": "bold", "title": None},
            "legend": text,
        },
        **more,
    }


def _by_dimension(inner: Spec, *, spacing: int = 28) -> Spec:
    """One panel a dimension, side by side, in the rubric's order."""
    return {
        "facet": {"column": {"field": "dimension", "type": "nominal", "sort": None, "header": {"title": None}}},
        "spacing": spacing,
        "spec": inner,
    }


def forest(values: Values, *, described: str, measured: str, start: float) -> Spec:
    """Points with intervals. values: {dimension, name, value, low, high, words}; a point without a value is left out.

    start: where the axis begins, 0 or the lowest number. The tentative band is shaded.
    """
    scale = {"domain": [start, 1], "clamp": True}
    row = {"field": "name", "type": "nominal", "sort": None, "title": None, "axis": {"grid": False, "ticks": False}}
    axis = {"title": measured, "values": [start, 0.4, TENTATIVE, RELY, 1], "format": ".3~f"}
    band = {
        "transform": [{"aggregate": [{"op": "count", "as": "n"}]}],
        "mark": {"type": "rect", "color": "--sunk", "tooltip": None},
        "encoding": {"x": {"datum": TENTATIVE, "type": "quantitative", "scale": scale}, "x2": {"datum": RELY}},
    }
    told = {"field": "words", "type": "nominal"}
    line = {
        "mark": {"type": "rule", "strokeWidth": 2, "color": "--ink-soft"},
        "encoding": {
            "y": row,
            "x": {"field": "low", "type": "quantitative", "scale": scale, "axis": axis},
            "x2": {"field": "high"},
            "tooltip": told,
        },
    }
    point = {
        "transform": [{"filter": "isValid(datum.value)"}],
        "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1, "color": "--accent"},
        "encoding": {"y": row, "x": {"field": "value", "type": "quantitative", "scale": scale}, "tooltip": told},
    }
    inner = {"width": WIDE, "height": {"step": STEP}, "layer": [band, line, point]}
    return _spec(values, described, **_by_dimension(inner))


def severities(values: Values, *, described: str, measured: str) -> Spec:
    """Points with intervals round 0. values: {dimension, name, value, low, high, words}."""
    row = {"field": "name", "type": "nominal", "sort": None, "title": None, "axis": {"grid": False, "ticks": False}}
    told = {"field": "words", "type": "nominal"}
    zero = {
        "transform": [{"aggregate": [{"op": "count", "as": "n"}]}],
        "mark": {"type": "rule", "color": "--line-strong", "strokeDash": [4, 3], "tooltip": None},
        "encoding": {"x": {"datum": 0, "type": "quantitative"}},
    }
    line = {
        "mark": {"type": "rule", "strokeWidth": 2, "color": "--ink-soft"},
        "encoding": {
            "y": row,
            "x": {"field": "low", "type": "quantitative", "axis": {"title": measured}},
            "x2": {"field": "high"},
            "tooltip": told,
        },
    }
    point = {
        "transform": [{"filter": "isValid(datum.value)"}],
        "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1, "color": "--accent"},
        "encoding": {"y": row, "x": {"field": "value", "type": "quantitative"}, "tooltip": told},
    }
    return _spec(
        values, described, **_by_dimension({"width": WIDE, "height": {"step": STEP}, "layer": [zero, line, point]})
    )


def distribution(values: Values, *, described: str, level: str, share: str) -> Spec:
    """Bars a level. values: {dimension, level, share, words}."""
    inner = {
        "width": {"step": 38},
        "height": 130,
        "mark": {"type": "bar", "color": "--accent"},
        "encoding": {
            "x": {"field": "level", "type": "ordinal", "sort": None, "title": level, "axis": {"labelAngle": 0}},
            "y": {"field": "share", "type": "quantitative", "title": share, "axis": {"format": "%", "tickCount": 4}},
            "tooltip": {"field": "words", "type": "nominal"},
        },
    }
    return _spec(values, described, **_by_dimension(inner))


def heat(values: Values, *, described: str, x: str = "", y: str = "", step: int = 34, domain: Sequence[float]) -> Spec:
    """Squares with their number on them. values: {dimension, x, y, value, text, words}; deeper is more.

    domain: from the faintest to the deepest value; x, y: the titles of the axes.
    """
    across = {
        "field": "x",
        "type": "nominal",
        "sort": None,
        "title": x or None,
        "axis": {"ticks": False, "domain": False},
    }
    down = {
        "field": "y",
        "type": "nominal",
        "sort": None,
        "title": y or None,
        "axis": {"ticks": False, "domain": False},
    }
    fade = {"scale": {"domain": list(domain), "range": [0.06, 0.95], "clamp": True}, "legend": None}
    square = {
        "transform": [{"filter": "isValid(datum.value)"}],
        "mark": {"type": "rect", "color": "--accent", "stroke": "--card"},
        "encoding": {
            "x": across,
            "y": down,
            "fillOpacity": {"field": "value", "type": "quantitative", **fade},
            "tooltip": {"field": "words", "type": "nominal"},
        },
    }
    middle = domain[0] + 0.55 * (domain[1] - domain[0])
    number = {
        "mark": {"type": "text", "fontSize": 11, "tooltip": None},
        "encoding": {
            "x": across,
            "y": down,
            "text": {"field": "text", "type": "nominal"},
            "color": {
                "condition": {"test": f"isValid(datum.value) && datum.value > {middle:g}", "value": "--card"},
                "value": "--ink",
            },
        },
    }
    inner = {"width": {"step": step}, "height": {"step": step}, "layer": [square, number]}
    return _spec(values, described, **_by_dimension(inner))


def sequence(values: Values, *, described: str, x: str, y: str) -> Spec:
    """A line with its band as items came in. values: {dimension, n, value, low, high, words}."""
    across = {"field": "n", "type": "quantitative", "title": x, "axis": {"grid": False, "tickCount": 5}}
    scale = {"domainMax": 1}
    band = {
        "mark": {"type": "area", "color": "--accent", "opacity": 0.18, "tooltip": None},
        "encoding": {
            "x": across,
            "y": {"field": "low", "type": "quantitative", "title": y, "scale": scale},
            "y2": {"field": "high"},
        },
    }
    line = {
        "mark": {"type": "line", "color": "--accent", "point": {"filled": True, "color": "--accent"}},
        "encoding": {
            "x": across,
            "y": {"field": "value", "type": "quantitative", "scale": scale},
            "tooltip": {"field": "words", "type": "nominal"},
        },
    }
    return _spec(values, described, **_by_dimension({"width": WIDE, "height": 160, "layer": [band, line]}))


def costs(values: Values, *, described: str, x: str, y: str, raters: str, wanted: float | None) -> Spec:
    """Designs by what they cost and how wide their interval is. values: {cost, width, raters, best, words}.

    raters: the legend's title. wanted: where a line is drawn; designs on or below it are precise enough.
    """
    told = {"field": "words", "type": "nominal"}
    across = {"field": "cost", "type": "quantitative", "title": x, "axis": {"grid": False, "tickCount": 6}}
    up = {"field": "width", "type": "quantitative", "title": y, "scale": {"zero": True}}
    best = {"test": "datum.best", "value": "--accent"}
    point = {
        "mark": {"type": "point", "filled": True, "size": 90, "opacity": 1},
        "encoding": {
            "x": across,
            "y": up,
            "shape": {"field": "raters", "type": "ordinal", "title": raters},
            "color": {"condition": best, "value": "--ink-soft"},
            "tooltip": told,
        },
    }
    line = {
        "transform": [{"aggregate": [{"op": "count", "as": "n"}]}],
        "mark": {"type": "rule", "color": "--line-strong", "strokeDash": [4, 3], "tooltip": None},
        "encoding": {"y": {"datum": wanted, "type": "quantitative"}},
    }
    layer = [point] if wanted is None else [line, point]
    return _spec(values, described, width=2 * WIDE, height=WIDE, layer=layer)
