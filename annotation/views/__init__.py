"""The annotation room's doors for people, one file a page family."""
