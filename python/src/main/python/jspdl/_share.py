"""One loader process for many trainers: how it is found or started, and how a trainer attaches to it.

Trainers find it by a socket in a folder that only their user may open. Who holds the folder's lock either connects, or starts a
process and waits until that listens; so there are never two of one name.
"""
import contextlib
import fcntl
import hashlib
import json
import os
import resource
import socket
import stat
import warnings

from . import _private, _process, _ring, _wire
from ._errors import JspdlError, PlanError
from ._version import __version__

MAIN = "org.jspdl.python.SharedProcess"
TRAINERS = 64               # that may be attached at once; each has slots of its own to fill
MOST_BYTES = 1 << 45        # of address space
MOST_PATH = 100             # characters of a socket's name; the system allows 107
ATTEMPTS = 20
HEAP = "-Xmx2g"             # of the loaders of all trainers
OF_A_RANK = ("rank", "parent", "prefetch", "resume_from")
# It belongs to no trainer: the shell that starts it ends, and Ctrl-C is the trainers' to answer.
DETACHED = 'trap "" INT; "$0" "$@" &'


class Connection:
    """A trainer's end of a loader that others use, too; what `Process` is for a loader of one's own."""

    def __init__(self, connected, log):
        self.owner = os.getpid()
        self.pid = 0        # known when it has answered
        self._log = log
        self.has_ended = False
        self.files = (_wire.OpenSocket(connected),)
        self.commands = _wire.Commands(self.files[0])
        self.frames = _wire.Frames(self.files[0])

    def how_it_ended(self):
        """What became of a loader that has closed the connection, in words."""
        return f"which several trainers share, has ended; what it had to say may be in {self._log}"

    def end(self):
        """Lets go of the loader, which ends with its last trainer; whether this did: again is harmless, and so is a forked process."""
        if self.owner != os.getpid() or self.has_ended:
            return False
        self.has_ended = True
        self.commands.send(_wire.CLOSE)
        self.commands.gone = True
        connected = socket.socket(fileno=self.files[0].number)
        try:
            connected.settimeout(_process.PATIENCE_SECONDS)
            while connected.recv(_wire.READ_BYTES):
                pass    # until it has taken back what was ours
            connected.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        finally:
            connected.detach()
            self.files[0].end()
        return True


def check(pin_memory, trace, files):
    """Refuses options that don't go with sharing."""
    if pin_memory:
        raise PlanError("pin_memory=True does not go with share=: the memory belongs to all trainers. Copy the batch with"
                        " tensor.pin_memory(), or leave out either")
    if trace is not None:
        raise PlanError("trace= does not go with share=: what every thread does is done for several trainers. Leave out either")
    if files:
        raise PlanError(f"{next(iter(files))}= does not go with share=: a record and a list of steps are of one trainer. Leave out either")


def ring_and_process(share, settings, slots, slot_bytes, java_options, release, alone):
    """A ring and a connection: of the loader that `share` names, of the process that this one's loaders have in common for True, or of one that torchrun's ranks of this machine have in common; None for a loader of one's own.

    Whoever says that it is to be `alone`, by options that don't go with sharing, shares by a name that it gives only.
    """
    if share is True:
        # What it prints goes where this process prints: it lives as long.
        return attach(name_in_process(slot_bytes, java_options), settings, slots, slot_bytes, java_options, release, _process.error_stream())
    if share is not None and share is not False:
        return attach(share, settings, slots, slot_bytes, java_options, release)
    name = None if share is False or alone or not has_room(slots, slot_bytes) else name_of_ranks(settings, slots, slot_bytes, java_options)
    if name is None:
        return None
    try:
        # What the loader prints goes where the ranks print: it lives as long as they do.
        return attach(name, settings, slots, slot_bytes, java_options, release, _process.error_stream())
    except JspdlError as failure:
        warnings.warn(f"the ranks of this machine load in a process each: {failure}", RuntimeWarning, stacklevel=5)
        return None


def has_room(slots, slot_bytes):
    """Whether a process may reserve as much address space as all trainers together could fill."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    try:
        with open("/proc/sys/vm/overcommit_memory", encoding="ascii") as file:
            counted = file.read().strip() == "2"
    except OSError:
        counted = False
    return slots * TRAINERS * slot_bytes <= MOST_BYTES and limit == resource.RLIM_INFINITY and not counted


def name_of_ranks(settings, slots, slot_bytes, java_options, environment=os.environ):
    """What the ranks call a loader with these settings; None without torchrun, or if there is one rank only."""
    run = environment.get("TORCHELASTIC_RUN_ID")
    if run is None or _process.ranks_here(environment) < 2:
        return None
    job = [run, *(environment.get(name, "") for name in ("TORCHELASTIC_RESTART_COUNT", "MASTER_ADDR", "MASTER_PORT"))]
    host = digest([*job, slots, slot_bytes, *java_options])
    return f"torchrun-{host}/{digest(sorted((key, value) for key, value in settings.items() if key not in OF_A_RANK))}"


def name_in_process(slot_bytes, java_options):
    """A name that no other loader has, of a loader process that only loaders of this process with slots as large and the same options of Java have."""
    with open("/proc/self/stat", encoding="ascii", errors="replace") as file:
        began = file.read().rpartition(")")[2].split()[19]      # since when there is a process of this number
    host = digest([os.getpid(), began, os.stat("/proc/self/ns/pid").st_ino, slot_bytes, *java_options])
    return f"process-{host}/{os.urandom(8).hex()}"


def digest(values):
    return hashlib.sha256(json.dumps(list(values)).encode()).hexdigest()[:24]


def attach(name, settings, slots, slot_bytes, java_options, release, output=None):
    """The ring and the connection of the loader process called `name` up to the first slash, started if there is none.

    output: where it prints, if it is started; None for a file beside its socket.
    """
    if not isinstance(name, str) or not name or len(name) > 1000:
        raise PlanError(f"share must be True, for loaders of this process, a name, such as 'train' or 'job/train', or False, but was {name!r}")
    if slots * TRAINERS * slot_bytes > MOST_BYTES:
        raise PlanError(f"slots={slots} of slot_bytes={slot_bytes} are more address space than {TRAINERS} trainers may share: give less of either")
    path = address(name)
    body = _wire.pairs({**settings, "share": name, "slot_bytes": str(slot_bytes)})
    for _ in range(ATTEMPTS):
        connection = Connection(connected(path, slots, slot_bytes, java_options, output), path + ".log")
        try:
            connection.commands.send(_wire.START, 0, body)
            answer = answered(connection.frames)
            if answer is not None:
                connection.pid = answer["pid"]
                return ring(answer, release), connection
        except BaseException:
            connection.end()
            raise
        connection.end()    # it was about to end: the next attempt starts another
    raise JspdlError(f"the loader process for share={name!r} ended {ATTEMPTS} times before it answered")


def ring(answer, release):
    file = f"/proc/{answer['pid']}/fd/{answer['file']}"
    try:
        return _ring.SharedRing(file, answer["slots"], answer["slot_bytes"], answer["each"], release)
    except OSError as failure:
        raise JspdlError(f"the memory of the shared loader, process {answer['pid']}, cannot be mapped: {failure}. Trainers that share a loader"
                         " must see each other's processes, as those of one container do") from failure


def answered(frames):
    """Where the loader's ring is; None if the loader was about to end."""
    while (frame := frames.ready()) is None:
        if not frames.read():
            return None
    kind, body = frames.waiting.popleft()
    said = json.loads(body[_wire.NUMBER.size:])
    if kind == _wire.FAILED:
        raise PlanError(said["message"])
    if kind != _wire.ATTACHED:
        raise JspdlError(f"a shared loader began with a frame of kind {kind}: is it of another version?")
    return said


def connected(path, slots, slot_bytes, java_options, output):
    """A connection to the process that listens at `path`, which is started if there is none."""
    with locked(os.path.dirname(path)):
        there = connect(path)
        if there is None:
            start(path, slots, slot_bytes, java_options, output)
            there = connect(path)
        if there is None:
            raise JspdlError(f"the shared loader was started, but ended before anybody could attach; {path}.log may say why")
        return there


def connect(path):
    there = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    there.setblocking(True)     # whatever socket.setdefaulttimeout says
    try:
        there.connect(path)
        return there
    except (FileNotFoundError, ConnectionRefusedError):
        there.close()
        return None
    except BaseException:
        there.close()
        raise


def start(path, slots, slot_bytes, java_options, output):
    """Starts a process, and waits until it listens at `path`, or ends."""
    memory = _ring.unnamed_file()
    listens, started = os.pipe()
    log = os.open(path + ".log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        size = _ring.aligned(slot_bytes)
        os.ftruncate(memory, slots * TRAINERS * size)
        prints = log if output is None else output
        environment = _process.environment({**os.environ, "LOCAL_WORLD_SIZE": "1"})
        _process.started((HEAP,), java_options, (MAIN, memory, slots * TRAINERS, size, slots, path, started), shell=DETACHED,
                         stdout=prints, stderr=prints, pass_fds=(memory, started), env=environment, start_new_session=True).wait()
        os.close(started)
        started = -1
        os.read(listens, 1)
    finally:
        for descriptor in (memory, listens, log, *([started] if started >= 0 else [])):
            os.close(descriptor)


def address(name):
    """Where the process for `name` listens: one for each first part of a name, and version of this package."""
    host = name.partition("/")[0]
    return os.path.join(folder(), hashlib.sha256(f"{__version__}\n{host}".encode("utf-8", "surrogateescape")).hexdigest()[:24])


def folder(wanted="share= needs", environment=os.environ):
    """A folder that only this user may open; `wanted` begins the sentence that says why there is none."""
    runtime = environment.get("XDG_RUNTIME_DIR", "")
    path = os.path.join(runtime, "jspdl")
    if not os.path.isabs(runtime) or len(path) + 30 > MOST_PATH or not os.path.isdir(runtime):
        path = f"/tmp/jspdl-{os.getuid()}"
    objection = _private.make_folder(path)
    if not objection and stat.S_IMODE(os.stat(path).st_mode) & 0o077:
        objection = f"{path} can be opened by others (mode {stat.S_IMODE(os.stat(path).st_mode):o}): chmod 700 it"
    if objection:
        raise JspdlError(f"{wanted} a folder that only you may open: {objection}")
    return path


@contextlib.contextmanager
def locked(where):
    """Nobody else looks for a loader, or starts one, meanwhile."""
    lock = os.open(os.path.join(where, "lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)
