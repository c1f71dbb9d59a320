"""The window's parts."""
