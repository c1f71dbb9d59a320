"""Anchorline: an offline console that answers questions about a live log."""

__version__ = "0.1.0"
