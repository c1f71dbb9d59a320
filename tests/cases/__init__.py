"""Inputs that once failed, each with the right value."""
