"""What was asked and answered, kept in SQLite."""
