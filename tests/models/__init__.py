"""Tests of app.models."""
