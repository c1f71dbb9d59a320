"""Tests of the set-up under packaging."""
