"""Unknown options are refused by name, with the one that was probably meant."""
import difflib
import functools
import inspect

from ._errors import PlanError

# What the same thing is called elsewhere, or was called here.
OTHER_NAMES = {
    "ahead": "prefetch", "batch": "batch_size", "concurrency": "workers", "grey": "grayscale", "info": "doctor", "jitter": "color_jitter",
    "keep": "repeat_batches", "lay_beside": "merge_traces", "match": "glob", "mirror": "flip", "num_workers": "workers",
    "pin": "pin_memory", "prefetch_factor": "prefetch", "skip": "max_failures", "skip_broken": "max_damaged", "state": "resume_from",
}


def did_you_mean(name, known):
    """`; did you mean 'x'?` if one of the known names is probably meant."""
    meant = OTHER_NAMES.get(name)
    if meant not in known:
        meant = next(iter(difflib.get_close_matches(name, known, 1)), None)
    return f"; did you mean {meant!r}?" if meant else ""


def checked(passes_on_to, *more):
    """Refuses options that neither the decorated function nor the one that it passes them on to has."""
    def decorate(function):
        known = list(dict.fromkeys([*named(function), *getattr(passes_on_to, "options", named(passes_on_to)), *more]))

        @functools.wraps(function)
        def call(*arguments, **options):
            for name in options:
                if name not in known:
                    raise PlanError(f"{function.__name__} has no option {name!r}"
                                    f"{did_you_mean(name, known) or '; help(jspdl.' + function.__name__ + ') names all'}")
            return function(*arguments, **options)

        call.options = known
        return call
    return decorate


def named(function):
    """The options that a function names."""
    return [name for name, parameter in inspect.signature(function).parameters.items()
            if parameter.kind in (parameter.KEYWORD_ONLY, parameter.POSITIONAL_OR_KEYWORD)
            and name not in ("self", "settings")]
