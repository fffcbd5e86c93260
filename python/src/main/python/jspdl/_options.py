"""Unknown options are refused by name, with the one that was probably meant, or with what to write instead."""
import difflib
import functools
import inspect
import operator
import re
import reprlib
import sys
from typing import Any, Callable, TypeVar, cast

from ._errors import OptionError, PlanError

F = TypeVar("F", bound=Callable[..., Any])

# What the same thing is called elsewhere, or was called here.
OTHER_NAMES = {
    "ahead": "prefetch", "batch": "batch_size", "concurrency": "workers", "grey": "grayscale", "info": "doctor", "jitter": "color_jitter",
    "keep": "repeat_batches", "lay_beside": "merge_traces", "match": "glob", "mirror": "flip", "num_workers": "workers",
    "pin": "pin_memory", "prefetch_factor": "prefetch", "skip": "max_failures", "skip_broken": "max_damaged", "state": "resume_from",
    "num_threads": "workers", "collate_fn": "collate", "image_size": "size", "crop_size": "size", "file_pattern": "glob", "sr": "sample_rate", "max_length": "length",
}

# What other loaders have and this one does another way.
INSTEAD = {
    "transform": "size=, random_resized_crop=, flip=, color_jitter=, mean= and std= do what torchvision's transforms do; any other"
                 " function is applied by loader.map(function, processes=N)",
    "target_transform": "loader.map(function, threads=N) or loader.map_batches(function, threads=N) applies the function",
    "collate_fn": "batches come collated; loader.map(function, processes=N, collate=...) collates results, loader.map_batches changes batches",
    "num_workers": "processes= says in how many processes items are got, or threads= in how many threads",
    "worker_init_fn": "loader.map(function, processes=N, seed=...) seeds each sample; what a process needs once, the function's module can do when imported",
    "generator": "seed= sets everything random",
    "sampler": "shuffle= and seed= set the order, indices= a list of samples in its place, weights= draws them, rank= and world_size= set the part of it",
    "indices": "samples of shards and texts are read one behind the other and have no numbers to pick them by; images, video, audio and arrays in files of"
               " their own have, and items of from_dataset",
    "weights": "samples of shards and texts are read one behind the other and can't be drawn one by one; images, video, audio and arrays in files of their"
               " own can, and items of from_dataset",
    "batch_sampler": "batch_size=, shuffle= and drop_last= set the batches",
    "persistent_workers": "leave it out: the loader's process lives until close()",
    "multiprocessing_context": "leave it out: the loader is a process of its own",
    "pin_memory_device": "pin_memory= is enough: the memory is pinned for every device",
    "in_order": "order='completion' of images, video, audio, arrays and shards waits for no slow item; functions and datasets keep the order",
    "num_replicas": "world_size= says how many ranks there are",
    "root": "the path comes first: jspdl.images('data/train')",
}
ADDRESS = re.compile(r"""(\w+://)(?:[^/\s?#'"]*@)?([^\s?'"]*)(\?[^\s'"]*)?""")


class Description(reprlib.Repr):
    """Long values cut short, and addresses without what is for their server alone: passwords, and queries, which may be signatures."""

    def __init__(self):
        super().__init__()
        self.maxstring = self.maxother = 80

    def repr_str(self, text, level):
        return super().repr_str(ADDRESS.sub(lambda found: f"{found[1]}{found[2]}{'?...' if found[3] else ''}", text), level)


DESCRIPTION = Description()


def whole(name, value, least, most=(1 << 63) - 1):
    """A whole number, of Python or NumPy, as Python's."""
    try:
        if isinstance(value, bool) or not least <= operator.index(value) <= most:
            raise TypeError
    except TypeError:
        limits = f"of at least {least}" if most == (1 << 63) - 1 else f"from {least:,} to {most:,}"
        wide = f", which is more than 64 bits with a sign hold: give {name} % 2**63" if isinstance(value, int) and value >= 1 << 63 else ""
        raise PlanError(f"{name} must be a whole number {limits} but was {value!r}{wide}") from None
    return operator.index(value)


def flag(name, value):
    """True or False, of Python or NumPy, as Python's; None is False. What is merely true is refused, such as "False", or the size of a shuffle buffer."""
    numpy = sys.modules.get("numpy")
    if value is None or isinstance(value, (bool, int)) and value in (0, 1) or numpy is not None and isinstance(value, numpy.bool_):
        return bool(value)
    raise PlanError(f"{name} must be True or False but was {value!r}")


def did_you_mean(name, known):
    """`; did you mean 'x'?` if one of the known names is probably meant."""
    meant = OTHER_NAMES.get(name)
    if meant not in known:
        meant = next(iter(difflib.get_close_matches(name, known, 1)), None)
    return f"; did you mean {meant!r}?" if meant else ""


def instead(name, known):
    """What to write for an option that there is none of, as the end of a sentence; empty if nothing is known."""
    if name in INSTEAD and OTHER_NAMES.get(name) not in known:
        return f": {INSTEAD[name]}"
    return did_you_mean(name, known)


def checked(passes_on_to: Any, *more: str) -> Callable[[F], F]:
    """Refuses options that neither the decorated function nor the one that it passes them on to has; notes in the loader how it was made."""
    def decorate(function: F) -> F:
        known = list(dict.fromkeys([*named(function), *getattr(passes_on_to, "options", named(passes_on_to)), *more]))

        @functools.wraps(function)
        def call(*arguments, **options):
            for name in options:
                if name not in known:
                    raise OptionError(f"{function.__name__} has no option {name!r}"
                                      f"{instead(name, known) or '; help(jspdl.' + function.__name__ + ') names all'}")
            loader = function(*arguments, **options)
            loader.made_by = described(function.__name__, arguments, options)
            return loader

        setattr(call, "options", known)
        return cast(F, call)
    return decorate


def described(name, arguments, options):
    """A call as it would be written, with long values cut short and without secrets."""
    said = [DESCRIPTION.repr(value) for value in arguments]
    said += [f"{option}={'...' if option == 'storage' else DESCRIPTION.repr(value)}" for option, value in options.items()]
    return f"jspdl.{name}({', '.join(said)})"


def named(function):
    """The options that a function names."""
    return [name for name, parameter in inspect.signature(function).parameters.items()
            if parameter.kind in (parameter.KEYWORD_ONLY, parameter.POSITIONAL_OR_KEYWORD)
            and name not in ("self", "settings")]
