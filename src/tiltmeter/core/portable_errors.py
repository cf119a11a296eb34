"""Errors that can be sent to another process."""

import pickle


def portable(error: BaseException) -> BaseException:
    """The error itself if pickle can send it to another process, or one with the same message.

    That one is of the closest base class of which this holds, and has no attributes of its own. So an
    error of the user stays one, and an error of the system too.
    """
    if _same_elsewhere(error):
        return error
    kinds = (kind for kind in type(error).__mro__ if issubclass(kind, BaseException))
    others = (kind.__new__(kind, str(error)) for kind in kinds)
    return next(other for other in others if _same_elsewhere(other, str(error)))


def _same_elsewhere(error: BaseException, message: str | None = None) -> bool:
    """Whether it arrives as the same kind of error with this message, or with its own."""
    try:
        other = pickle.loads(pickle.dumps(error))  # noqa: S301 what was pickled just now
    except Exception:  # noqa: BLE001 whatever the classes of errors and attributes raise
        return False
    return type(other) is type(error) and str(other) == (str(error) if message is None else message)
