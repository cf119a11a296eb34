"""tiltmeter active live: active learning with people who answer in their browsers."""
