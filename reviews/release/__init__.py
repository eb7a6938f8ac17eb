"""Making the files of a release: rows, formats, manifest, data card. Pure of the database; imports pyarrow.

columns    the tables of a release and what each column means
rows       records as rows of these tables
formats    JSONL (exact), CSV (safe to open), Parquet (exact)
documents  manifest, Croissant metadata
card       the data card
build      all of it into a folder
"""
