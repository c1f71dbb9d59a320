"""The console: Qt widgets. The only place that imports Qt."""
