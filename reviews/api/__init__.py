"""The reviews room's doors for programs."""
