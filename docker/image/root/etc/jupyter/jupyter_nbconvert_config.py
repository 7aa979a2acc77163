"""Notebooks become pages with formulas and charts that move, without a network."""

c = get_config()  # noqa: F821

c.HTMLExporter.template_name = "directions"
