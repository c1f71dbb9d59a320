"""Questions are understood, counted and checked without a model."""
