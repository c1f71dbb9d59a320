"""Model files: manifest, fetch, verify, import."""
