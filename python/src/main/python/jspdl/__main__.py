"""python -m jspdl prepare | doctor: makes loaders start faster, and says what the package runs on."""
import contextlib
import os
import sys
import tempfile

from . import _doctor, _java, _private, _process, images
from ._errors import JspdlError
from ._options import did_you_mean

USAGE = """python -m jspdl prepare [FOLDER]  makes the startup cache (AOT cache) of this Java, so that loaders start faster; it loads FOLDER,
                                 or the sample dataset
python -m jspdl doctor            checks this machine: Java, FFmpeg, memory, NumPy, PyTorch; exit code 1 if loaders cannot run"""
COMMANDS = ("doctor", "prepare")
CACHE_SECONDS = 120


def main(arguments):
    if arguments[:1] == ["doctor"] and len(arguments) == 1:
        return _doctor.main()
    if arguments[:1] == ["prepare"] and len(arguments) <= 2:
        return prepare(*arguments[1:])
    if arguments and arguments[0] not in COMMANDS:
        print(f"there is no command {arguments[0]!r}{did_you_mean(arguments[0], COMMANDS)}", file=sys.stderr)
    print(USAGE, file=sys.stderr)
    return 2


def prepare(folder=None):
    cache = _process.cache_file(_java.find(), _java.class_path())
    wrong = _private.make_folder(os.path.dirname(cache))
    if wrong:
        print(f"no startup cache is made, because it is loaded like a program: {wrong}", file=sys.stderr)
        return 1
    fresh = f"{cache}.{os.getpid()}"
    if os.path.exists(cache):
        os.unlink(cache)
    with quietly() as said:
        if folder is None:  # the sample is drawn by another process, or the cache would keep the classes that draw
            with images(epochs=1) as first:
                next(iter(first))
        loader = images(folder, epochs=2, java_options=[f"-XX:AOTCacheOutput={fresh}"])
        for _ in range(2):
            for _ in loader:
                pass
        loader.report()
        loader.state_dict()
        loader._process.end(CACHE_SECONDS)
    if not os.path.exists(fresh):
        print(f"{said()}\nno startup cache could be made; loaders work without it, and start later", file=sys.stderr)
        return 1
    os.chmod(fresh, 0o600)
    os.replace(fresh, cache)
    print(f"made {cache}, {os.stat(cache).st_size / 1e6:.0f} MB")
    return 0


@contextlib.contextmanager
def quietly():
    """Keeps what the loader writes to the error stream, much of it about its own options, for a function that tells it."""
    with tempfile.TemporaryFile() as kept:
        before = os.dup(2)
        os.dup2(kept.fileno(), 2)
        try:
            yield lambda: text.decode(errors="replace")
        finally:
            os.dup2(before, 2)
            os.close(before)
            kept.seek(0)
            text = kept.read()


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except JspdlError as failure:
        sys.exit(f"jspdl: {failure}")
