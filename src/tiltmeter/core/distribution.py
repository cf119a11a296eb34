"""The name under which Tiltmeter is installed, and the other project whose package has the name of ours."""

from pathlib import Path

DISTRIBUTION = "tiltmeter-bias"
"""On the package index, where `tiltmeter` is another project. The package and the command are `tiltmeter`."""


def other_project(package: Path) -> str:
    """Why this installation is damaged, and the way out; "" where it is whole.

    The other project's package and command have our names. Where both are in one environment, the one that
    came last has overwritten files of the first, and either may show the version of the other.

    Args:
        package: The folder of the package `tiltmeter`. Metadata of the other project would be beside it.
    """
    # `pip install -e` leaves its metadata elsewhere: those of a clone that was once called so do no harm
    theirs = next(package.parent.glob("tiltmeter-*.dist-info"), None)
    if theirs is None:
        return ""
    version = theirs.name.removeprefix("tiltmeter-").removesuffix(".dist-info")
    return (
        f"tiltmeter {version}, another project with a package of the same name, is installed in this "
        f"environment, and each has overwritten files of the other. Run 'pip uninstall tiltmeter "
        f"{DISTRIBUTION}', then install {DISTRIBUTION} again, or each in an environment of its own"
    )
