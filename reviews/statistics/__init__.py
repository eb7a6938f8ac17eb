"""Agreement between raters: frames and arrays in, frozen dataclasses out. No Django; fit for a notebook.

from reviews.statistics.reading import read_ratings
from reviews.statistics.report import agreement

agreement(read_ratings("ratings.csv", level="ordinal", scale="1-5")).to_json()
"""
