"""The loader's process: how it is started, and how it is ended whatever happens."""
import ctypes
import os
import signal
import socket
import subprocess
import sys
from locale import LC_CTYPE

from . import _java, _private, _wire
from ._errors import JspdlError

HEAP = ("-Xms16m", "-Xmx512m")
# What the compiler has used goes back to the system every so often; the C library would keep it.
# Compiling one method of the JDK that is used at the start only takes a third of a second, and more memory than any other.
NEVER_COMPILED = "jdk.internal.classfile.impl.StackMapGenerator::processBlock"
# Long loops that are compiled once each, out of line: inlined, they are compiled again with every caller, and while it runs.
# The same as in release/options, which a test compares.
OUT_OF_LINE = (
    ("org.jspdl.media.internal.resample.SwarSum", "sum2 sum3 sum4 begin2 add1 add2 end"),
    ("org.jspdl.media.internal.resample.WideSwarSum", "begin add1 add2 end"),
    ("org.jspdl.media.internal.resample.JpegColor", "red green blue"),
    ("org.jspdl.media.internal.resample.BlockTranspose", "exchange"),
    ("org.jspdl.media.internal.resample.ColumnWriter", "store"),
    ("org.jspdl.media.internal.resample.PlaneReducer", "strip"),
    ("org.jspdl.media.internal.jpeg.transform.InverseTransform", "even odd last store pack"),
    ("org.jspdl.media.internal.jpeg.transform.ReducedTransform", "even scale odd spread clamp"),
    ("org.jspdl.media.internal.jpeg.BlockBatch", "flush"),
)
# A method is compiled while a loop of it runs only where that takes long, so most are not compiled twice. The same as in release/options.
RUNNING_LOOPS = ("-XX:Tier0BackedgeNotifyFreqLog=16", "-XX:Tier2BackedgeNotifyFreqLog=20", "-XX:Tier3BackedgeNotifyFreqLog=20")
VIRTUAL_MACHINE = ("-XX:+UseSerialGC", "-XX:TrimNativeHeapInterval=1000", *RUNNING_LOOPS, "-XX:CompileCommand=quiet",
                   f"-XX:CompileCommand=exclude,{NEVER_COMPILED}",
                   *(f"-XX:CompileCommand=dontinline,{kind}::{name}" for kind, names in OUT_OF_LINE for name in names.split()),
                   "-XX:-UsePerfData", "-XX:+DisplayVMOutputToStderr",
                   "--enable-native-access=ALL-UNNAMED", "-Djava.awt.headless=true")
MAIN = "org.jspdl.python.LoaderProcess"
# Ctrl-C reaches the whole foreground group; it is the trainer's to answer, and the loader ends with the trainer.
WITHOUT_INTERRUPTS = 'trap "" INT; exec "$0" "$@"'
PATIENCE_SECONDS = 15


class Process:
    """A loader that runs, and our ends of what connects us. It hears commands at its standard input."""

    def __init__(self, ring, java_options):
        command_end, commands = map(_wire.OpenSocket, socket.socketpair())
        frames, frame_end = map(_wire.OpenFile, os.pipe())
        inherited = (ring.descriptor, frame_end.number)
        self.child = started((*share(),), java_options, (MAIN, ring.descriptor, ring.slots, ring.slot_bytes, frame_end.number),
                             stdin=command_end.number, stdout=error_stream(), pass_fds=inherited, env=environment())
        command_end.close()
        frame_end.close()
        self.owner = os.getpid()
        self.has_ended = False
        self.files = (commands, frames)
        self.commands = _wire.Commands(commands)
        self.frames = _wire.Frames(frames)

    @property
    def pid(self):
        return self.child.pid

    def how_it_ended(self):
        """What became of a loader that has closed its pipe, in words."""
        try:
            code = self.child.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            return "closed its pipe, but goes on"
        if code >= 0:
            return f"ended with exit code {code}; what it had to say is on the error stream"
        name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
        hint = ("; if nobody did that, the system was short of memory (dmesg says so)" if name == "SIGKILL" else "")
        return f"was killed by {name}{hint}"

    def end(self, patience=PATIENCE_SECONDS):
        """Ends the loader and waits for it; whether it did: again is harmless, and so is a process that was forked from the owner."""
        if self.owner != os.getpid() or self.has_ended:
            return False
        self.has_ended = True
        self.commands.send(_wire.CLOSE)
        self.commands.gone = True
        for file in self.files:
            file.end()
        try:
            self.child.wait(patience)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
        return True


def end(process, ring, trace):
    """Ends a loader, its memory but for what is viewed, and its trace."""
    ring.keep()
    ended = process.end()
    if ring.pins is not None:
        ring.pins.end()
    ring.close()
    if trace is not None and ended:
        trace.finish()


def started(own, java_options, arguments, shell=WITHOUT_INTERRUPTS, **popen):
    """A process of Java with options of the loader's own, those of the user, a program and its arguments."""
    home = _java.find()
    class_path = _java.class_path()
    line = [os.path.join(home, "bin", "java"), *VIRTUAL_MACHINE, *HEAP, *start_cache(home, class_path), *own,
            *_java.providers(), *os.environ.get("JSPDL_OPTS", "").split(), *java_options, "-cp", class_path, *map(str, arguments)]
    try:
        return subprocess.Popen(["/bin/sh", "-c", shell, *line], **{"stdin": subprocess.DEVNULL, **popen})
    except OSError as failure:
        raise JspdlError(f"the loader could not be started by {line[0]}: {failure}") from failure


def environment(given=os.environ):
    """The loader's: the C library would keep up to eight pools of freed memory for each processor."""
    return {"MALLOC_ARENA_MAX": str(max(2, processors(given))), **given, **locale(given)}


def locale(given):
    """Java reads file names by the locale; without one, or with one that is not installed, it takes them for ASCII, and cannot open others."""
    named = given.get("LC_ALL") or given.get("LC_CTYPE") or given.get("LANG") or "C"
    others = [given["LC_ALL"]] if given.get("LC_ALL") else [value for name, value in given.items() if value and (name == "LANG" or name[:3] == "LC_")]
    return {"LC_ALL": "C.UTF-8"} if named in ("C", "POSIX") or not all(map(is_installed, others)) else {}


def is_installed(name):
    """Whether the C library has the locale, without changing that of this process."""
    library = ctypes.CDLL(None)
    library.newlocale.restype = ctypes.c_void_p
    library.newlocale.argtypes = ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p
    library.freelocale.argtypes = (ctypes.c_void_p,)
    made = library.newlocale(1 << LC_CTYPE, os.fsencode(name), None)
    if made:
        library.freelocale(made)
    return bool(made)


def error_stream():
    """Where the loader's own output goes: to the error stream, never between what the trainer prints."""
    try:
        return sys.__stderr__.fileno()
    except (AttributeError, OSError, ValueError):
        return subprocess.DEVNULL


def share(environment=os.environ):
    """With several ranks on a machine, each gets its part of the processors."""
    return [f"-XX:ActiveProcessorCount={processors(environment)}"] if ranks_here(environment) > 1 else []


def processors(environment):
    return max(1, len(os.sched_getaffinity(0)) // ranks_here(environment))


def ranks_here(environment):
    return max(1, int(environment.get("LOCAL_WORLD_SIZE", "1") or 1))


def cache_file(home, class_path):
    """Where the start-up cache of this Java and these jars is, if it was made: see `python -m jspdl prepare`."""
    import zlib
    jars = [f"{jar} {os.stat(jar).st_size} {os.stat(jar).st_mtime_ns}" for jar in class_path.split(":") if os.path.isfile(jar)]
    identity = "\n".join([home, _java.release(home).get("JAVA_RUNTIME_VERSION", ""), *VIRTUAL_MACHINE, *jars])
    root = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(root):  # another folder in each working directory
        root = os.path.expanduser("~/.cache")
    return os.path.join(root, "jspdl", f"python-start-{zlib.crc32(identity.encode()):08x}.aot")


def start_cache(home, class_path):
    file = cache_file(home, class_path)
    if not os.path.exists(file) or _private.objection(file):  # it is code, in effect
        return []
    return [f"-XX:AOTCache={file}", "-Xlog:disable", "-Xlog:all=error:stderr"]
