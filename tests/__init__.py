"""Tests; the folders mirror those of app."""
