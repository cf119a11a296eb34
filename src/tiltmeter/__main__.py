"""`python -m tiltmeter`."""

from tiltmeter.cli import main

if __name__ == "__main__":
    main()
