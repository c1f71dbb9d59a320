"""Tokens and models: everything between log text and answer text. No Qt, no SQL, no log formats."""
