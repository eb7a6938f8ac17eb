"""What the judgements come to: cases and decisions, gold labels, agreement, releases."""
