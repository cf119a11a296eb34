"""The public Python API: `import tiltmeter as tm` offers what is here, and imports it when it is used."""
