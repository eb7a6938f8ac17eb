"""The manifest and the Croissant metadata of a release."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from reviews.release.columns import Kind, Table
from reviews.release.rows import Scale

FORMAT = "concord-release/1"


@dataclass(frozen=True)
class Facts:
    """What a release is of, beside its rows. scales: of the rubric's dimensions. imports: {sha256: file's name}."""

    number: int
    created_at: str
    campaign: str
    title: str
    closed: bool
    dataset: str
    dataset_title: str
    rubric: Mapping[str, Any]
    scales: tuple[Scale, ...]
    rule: Mapping[str, Any]
    rule_version: int
    overlap: int
    seed: int
    selection: Mapping[str, Any]
    imports: Mapping[str, str]
    data_version: str
    code_version: str
    parameters: Mapping[str, Any]

    @property
    def without_texts(self) -> bool:
        return bool(self.parameters["without_texts"])

    @property
    def levels(self) -> list[str]:
        """Of all dimensions, in ascending order."""
        return [str(level) for level in sorted({level for scale in self.scales for level in scale.levels})]


def manifest_of(facts: Facts, *, counts: Mapping[str, Any], files: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """files: {name: {"sha256", "bytes", "rows"}}."""
    told = asdict(facts)
    del told["scales"]
    return {"format": FORMAT, **told, "counts": counts, "files": files}


def text_of(document: Mapping[str, Any]) -> str:
    """Sorted: a database that keeps no order of keys gives the same bytes."""
    return json.dumps(document, ensure_ascii=False, indent=2, sort_keys=True, allow_nan=False) + "\n"


def plain_json(document: Mapping[str, Any]) -> str:
    """In its own order, as `agreement --json` prints it."""
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


MEDIA_TYPES = {
    "jsonl": "application/jsonlines",
    "csv": "text/csv",
    "parquet": "application/x-parquet",
    "json": "application/json",
    "md": "text/markdown",
}
_CROISSANT_TYPES = {
    Kind.TEXT: "sc:Text",
    Kind.INTEGER: "sc:Integer",
    Kind.NUMBER: "sc:Float",
    Kind.BOOLEAN: "sc:Boolean",
    Kind.TIME: "sc:DateTime",
}


def croissant_of(facts: Facts, *, tables: Mapping[str, Table], files: Mapping[str, Mapping[str, Any]]) -> str:
    """Croissant 1.0 (http://mlcommons.org/croissant/1.0): the files, and the columns of those kept as Parquet."""
    document = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": f"{facts.campaign}-{facts.number}",
        "description": f"Gold labels, ratings and agreement of the campaign “{facts.title}”, release {facts.number}.",
        "version": f"{facts.number}.0.0",
        "datePublished": facts.created_at,
        "creator": {"@type": "sc:Organization", "name": facts.title},
        "license": "Not declared; ask whoever gave you this release.",
        "citeAs": f"{facts.title}, release {facts.number}, data version {facts.data_version}",
        "distribution": [_file(name, about) for name, about in sorted(files.items())],
        "recordSet": [_records(table) for table in tables.values() if "parquet" in table.formats],
    }
    return plain_json(document)


def _file(name: str, about: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "contentSize": f"{about['bytes']} B",
        "encodingFormat": MEDIA_TYPES[name.rpartition(".")[2]],
        "sha256": about["sha256"],
    }


def _records(table: Table) -> dict[str, Any]:
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"{table.name}/{column.name}",
            "name": column.name,
            "description": column.about,
            "dataType": _CROISSANT_TYPES[column.kind],
            "source": {"fileObject": {"@id": f"{table.name}.parquet"}, "extract": {"column": column.name}},
        }
        for column in table.columns
        if column.kind in _CROISSANT_TYPES
    ]
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": table.about,
        "field": fields,
    }


_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
