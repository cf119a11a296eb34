"""Pictures: drawn once as SVG."""
