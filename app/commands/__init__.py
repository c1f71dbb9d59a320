"""What the command line does: one module a command, wired from the parts below."""
