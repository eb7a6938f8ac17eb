"""The agreement report as people read it: made of the stored result, so that nothing here computes a statistic."""
