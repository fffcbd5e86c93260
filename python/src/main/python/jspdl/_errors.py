"""What can go wrong, by what the caller can do about it."""
from typing import Optional


class JspdlError(RuntimeError):
    """Loading failed; the message says where and why."""


class PlanError(JspdlError, ValueError):
    """A plan, an argument or a state cannot be used; nothing was loaded."""


class OptionError(PlanError, TypeError):
    """A function has no such option; the message says what to write instead."""


class MapError(JspdlError):
    """A function given to `map` or `map_batches` failed; the message and the fields say which, and at what. `__cause__` is what it raised.

    The next batch can be asked for: the one that failed counts as yielded. But not with `map(order=)`, where a failure ends the run, as that of a file does.
    """
    function = ""
    epoch = 0
    batch = 0
    sample: Optional[int] = None    # the row of the batch; None if it failed as a whole
    sample_name = ""                # with `map(order=)`, where there is no batch yet


class JavaNotFound(JspdlError):
    """There is no Java to run the loader on; the message says what to install."""


class LoaderDied(JspdlError):
    """The loader's process ended by itself or was killed."""
