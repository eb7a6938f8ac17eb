"""From files to records: streaming, strict, and with a line number for whatever is wrong."""
