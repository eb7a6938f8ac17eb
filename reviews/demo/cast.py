"""The people of the demo, and what kind of raters they are."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Rater:
    """severity: added to each score before rounding; noise: standard deviation; drift: added from first to last."""

    username: str
    name: str
    languages: tuple[str, ...]
    severity: float = 0.0
    noise: float = 0.45
    drift: float = 0.0
    eye: float = 0.8  # the chance of seeing a violation that is there
    straight: bool = False  # gives nearly everything the same scores
    seconds: float = 45.0


MANAGER = ("mira", "Mira Okafor")
EXPERTS = (("elena", "Elena Brandt"), ("wen", "温以宁"))
RATERS = (
    Rater("ana", "Ana Duarte", ("en",), severity=0.1, noise=0.35),
    Rater("bo", "Bo Lindqvist", ("en",), severity=-0.45, noise=0.5),
    Rater("chen", "陈知夏", ("en", "zh-Hans"), severity=0.0, noise=0.4, seconds=52),
    Rater("dara", "Dara Kim", ("en", "zh-Hans"), severity=0.3, noise=0.55, drift=-0.5, eye=0.6),
    Rater("fang", "方若谷", ("zh-Hans",), severity=-0.15, noise=0.4, eye=0.9, seconds=61),
    Rater("gao", "高一鸣", ("zh-Hans",), noise=0.2, eye=0.05, straight=True, seconds=11),
)
USERNAMES = (MANAGER[0], *(name for name, _ in EXPERTS), *(rater.username for rater in RATERS))

# name: (family, parameters, openness)
COMPANIONS = {
    "Lark-3B": ("Lark", "3B", "open"),
    "Juniper-14B": ("Juniper", "14B", "open"),
    "Harbor-70B": ("Harbor", "70B", "open"),
    "Meridian-200B": ("Meridian", "200B", "closed"),
}
