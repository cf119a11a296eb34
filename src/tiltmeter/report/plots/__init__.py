"""Pictures, drawn as SVG.

Each is a function that takes a `name`, which makes its ids in the page unique; a `title`, which says what it
shows to readers who cannot see it; and a `layout`, the module's WIDE or NARROW.
"""
