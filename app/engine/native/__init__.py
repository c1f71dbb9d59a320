"""The only place that touches a native library."""
