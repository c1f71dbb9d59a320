"""Every figure that the documentation quotes is a command here."""
