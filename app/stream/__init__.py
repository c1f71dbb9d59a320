"""Logs in: sources, lines, records, templates, digest."""
