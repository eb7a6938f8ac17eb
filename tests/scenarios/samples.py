"""Small files of our own, with the oddities that real ones have."""

import json
from pathlib import Path
from typing import Any

from django.apps import apps

SCENARIO: dict[str, Any] = {
    "key": "dialogue_schedule/q001",
    "task": "dialogue_schedule",
    "language": "zh-Hans",
    "persona": "林越，29 岁，灯塔看守。说话慢，记得住小事。👩🏽‍🚀",
    "turns": [
        {"role": "companion", "text": "潮水退了。\n你到码头了吗？"},
        {"role": "user", "text": '到了～ 风好大…… "差点"吹跑（笑）\r\n\u2028é'},
    ],
    "memories": ["她怕高。", {"text": "她姐姐叫阿禾。", "category": "家人", "importance": 2}],
    "schedule": [
        "23:40 熄灯前巡一圈",
        "00:15 记日志",
        "20:00时 开灯",
        {"time": "21:00", "activity": "泡茶", "now": True},
    ],
    "reference": "先进屋，门没锁。  \n（把灯调暗）",
    "tags": {"need": "implicit", "danger": False},
}


def scenario(number: int, **changed: Any) -> dict[str, Any]:
    return {**SCENARIO, "key": f"dialogue_schedule/q{number:03d}", **changed}


def response(number: int, **changed: Any) -> dict[str, Any]:
    told = {"companion": "Heron 8B", "condition": "sap", "text": f"回答 {number}"}
    return {"key": f"dialogue_schedule/q{number:03d}", **told, **changed}


def write_lines(path: Path, records: list[Any], *, end: str = "\n", bom: bool = False) -> Path:
    """JSONL of records; what is bytes already is a line as it is."""
    lines = [
        record if isinstance(record, bytes) else json.dumps(record, ensure_ascii=False).encode() for record in records
    ]
    path.write_bytes((b"\xef\xbb\xbf" if bom else b"") + b"".join(line + end.encode() for line in lines))
    return path


def h2htalk_folder(path: Path) -> Path:
    """A folder as the benchmark releases them: blank lines, other fields' names, a file that is no data."""
    path.mkdir()
    (path / "README.md").write_text("no data\n")
    write_lines(path / "dialogue_base.jsonl", [{"response": "（抬头）“到啦？”"}, b"", {"answer": "嗯~\n还行..."}])
    talk = [{"from": "human", "value": "在吗"}, {"from": "gpt", "value": "在。"}, {"from": "gpt", "value": "一直在。"}]
    write_lines(
        path / "itinerary_middle.jsonl", [{"messages": talk}, {"response": "09:00 起床  \n10:30 散步\n\n（旁白）"}]
    )
    return path


def rows() -> dict[str, int]:
    """How many rows each table holds."""
    return {model._meta.label: model._base_manager.count() for model in apps.get_models()}
