"""Qt item models and what stands behind the views."""
