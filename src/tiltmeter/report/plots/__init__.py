"""Pictures: drawn once as SVG.

Each is a function that takes `name`, which makes its ids in the page unique; `title`, which says what it
shows to those who do not see it; and `layout`, the module's WIDE or NARROW.
"""
