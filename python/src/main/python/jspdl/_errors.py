"""What can go wrong, by what the caller can do about it."""


class JspdlError(RuntimeError):
    """Loading failed; the message says where and why."""


class PlanError(JspdlError, ValueError):
    """A plan, an argument or a state cannot be used; nothing was loaded."""


class OptionError(PlanError, TypeError):
    """A function has no such option; the message says what to write instead."""


class JavaNotFound(JspdlError):
    """There is no Java to run the loader on; the message says what to install."""


class LoaderDied(JspdlError):
    """The loader's process ended by itself or was killed."""
