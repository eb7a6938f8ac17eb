"""Making the files of a release and reading them back. Pure of the database; making imports pyarrow, reading does not.

columns    the tables of a release and what each column means
rows       records as rows of these tables
formats    JSONL (exact), CSV (safe to open), Parquet (exact)
documents  manifest, Croissant metadata
card       the data card
build      all of it into a folder
export     its files copied into a folder of one's own
reading    a release read back, an item at a time
compare    what became of the labels between two releases
reasons    and why
"""
