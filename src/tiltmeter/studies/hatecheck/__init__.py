"""HateCheck: functional tests of hate detection, asked in words."""
