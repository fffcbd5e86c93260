"""What is wrong with a machine, and what to do about it."""
import importlib
import json
import mmap
import os
import platform
import re
import resource
import subprocess
import sys

from . import _java, _private, _process, _ring
from ._errors import JspdlError
from ._version import __version__

OK, HINT, WRONG = "ok", "hint", "WRONG"
STARTS_SECONDS = 60
LEAST_BYTES = 1 << 30       # a loader's heap and code, and a few batches
DEFAULT_RING = 64 * (256 << 20)


def main():
    """Prints a line for each thing that was looked at; 1 if loaders cannot run here, else 0."""
    print(f"jspdl {__version__}")
    wrong = 0
    for state, name, said in findings():
        print(f"{state:5} {name:14} {said}", flush=True)
        wrong += state == WRONG
    print("loaders can run here" if not wrong else f"loaders cannot run here: {wrong} of the above must be mended first")
    return min(wrong, 1)


def findings():
    """(state, name, what is said) of each thing, in order."""
    for check in (machine, java, start_up, processors, memory, shared_memory, numpy, torch):
        yield from check()


def machine():
    fits = sys.platform == "linux" and platform.machine() == "x86_64"
    yield OK if fits else WRONG, "system", f"{platform.system()} on {platform.machine()}" + ("" if fits else "; Linux on x86_64 is needed")
    yield OK if sys.version_info >= (3, 9) else WRONG, "python", f"{platform.python_version()} at {sys.executable}"


def java():
    try:
        home = _java.find()
        yield OK, "java", f"{_java.release(home).get('JAVA_VERSION', '?')} at {home}"
        jars = _java.class_path().split(":")
        missing = [jar for jar in jars if not os.path.exists(jar)]
        yield (WRONG, "jars", f"{missing[0]} of the class path does not exist") if missing else (OK, "jars", f"{len(jars)} on the class path")
    except JspdlError as failure:
        yield WRONG, "java", str(failure)
        return
    yield from runs(home, ":".join(jars))


def runs(home, class_path):
    """Starts the loader's Java as a loader would, and asks it what it has."""
    line = [os.path.join(home, "bin", "java"), *_process.VIRTUAL_MACHINE, *_process.HEAP, *os.environ.get("JSPDL_OPTS", "").split(), "-cp",
            class_path, _process.MAIN, "versions"]
    try:
        ended = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=STARTS_SECONDS, env=_process.environment(),
                               check=False)
        said = json.loads(ended.stdout) if ended.returncode == 0 else None
    except (OSError, ValueError, subprocess.TimeoutExpired) as failure:
        yield WRONG, "loader", f"{line[0]} does not run: {failure}"
        return
    if said is None:
        why = (ended.stderr.strip() or ended.stdout.strip() or "no output").splitlines()
        yield WRONG, "loader", f"its Java ended with exit code {ended.returncode}: {why[0]}"
        return
    yield OK, "loader", f"runs, with {said['processors']} processors and at most {size(said['heap'])} of heap"
    parts = said["parts"]
    if "ffmpeg" in parts:
        yield OK, "ffmpeg", parts["ffmpeg"]
    else:
        yield HINT, "ffmpeg", "not found, so no video, and no format that only FFmpeg decodes: install ffmpeg, or the complete wheel"
    yield OK, "JPEG decoder", parts.get("jpeg", "none")


def start_up():
    try:
        cache = _process.cache_file(_java.find(), _java.class_path())
    except JspdlError:
        return
    if not os.path.exists(cache):
        yield HINT, "startup cache", "not made; loaders start in half the time after: python -m jspdl prepare"
    elif objection := _private.objection(cache):
        yield HINT, "startup cache", f"{cache} is not used: {objection}"
    else:
        yield OK, "startup cache", cache


def processors():
    here = len(os.sched_getaffinity(0))
    limit = cpu_limit(read("/sys/fs/cgroup/cpu.max"))
    if limit is not None and limit < here:
        yield OK, "processors", f"{limit:.3g} by the container's limit, of {here}"
    else:
        yield OK, "processors", str(here)


def memory():
    lines = dict(re.findall(r"(\w+): +(\d+) kB", read("/proc/meminfo")))
    free, total = (int(lines.get(name, 0)) * 1024 for name in ("MemAvailable", "MemTotal"))
    limit, used = read("/sys/fs/cgroup/memory.max").strip(), read("/sys/fs/cgroup/memory.current").strip()
    said = f"{size(free)} of {size(total)} available"
    if limit.isdigit() and used.isdigit() and int(limit) - int(used) < free:
        free = int(limit) - int(used)
        said = f"{size(free)} available below the container's limit of {size(int(limit))}"
    yield (OK, "memory", said) if free >= LEAST_BYTES else (HINT, "memory", f"{said}: a loader may be killed for want of memory")
    space, _ = resource.getrlimit(resource.RLIMIT_AS)
    if space != resource.RLIM_INFINITY and space < 2 * DEFAULT_RING:
        yield (HINT, "address space", f"limited to {size(space)} (ulimit -v): give loaders a lower slots= or slot_bytes=, which reserve"
               f" {size(DEFAULT_RING)} by default, or lift the limit")


def shared_memory():
    """Batches lie in a memory file without a name, so a small /dev/shm, as containers have it, is no limit; unless there are no such files."""
    try:
        descriptor = _ring.unnamed_file()
        try:
            os.ftruncate(descriptor, mmap.PAGESIZE)
            mmap.mmap(descriptor, mmap.PAGESIZE).close()
            is_memory_file = os.readlink(f"/proc/self/fd/{descriptor}").startswith("/memfd:")
        finally:
            os.close(descriptor)
    except OSError as failure:
        yield WRONG, "shared memory", f"cannot be made: {failure}"
        return
    room = os.statvfs("/dev/shm") if os.path.isdir("/dev/shm") else None
    total = room.f_frsize * room.f_blocks if room is not None else 0
    if is_memory_file:
        yield OK, "shared memory", f"memory files, which /dev/shm ({size(total)}) does not limit"
    else:
        yield (OK if total >= LEAST_BYTES else HINT), "shared memory", f"/dev/shm of {size(total)}; all batches that are held lie there"


def numpy():
    yield from imported("numpy", lambda module: OK)


def torch():
    yield from imported("torch", lambda module: OK if tuple(map(int, re.findall(r"\d+", module.__version__)[:2])) >= (1, 13) else HINT,
                        lambda module: f"{'with' if module.cuda.is_available() else 'without'} CUDA")


def imported(name, judge, more=lambda module: ""):
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError:
        yield HINT, name, "not installed; arrays= says what batches consist of instead"
    except Exception as failure:        # a broken installation raises anything
        yield HINT, name, f"is installed and cannot be imported: {type(failure).__name__}: {failure}"
    else:
        yield judge(module), name, f"{module.__version__} {more(module)}".strip()


def cpu_limit(text):
    """Processors by a control group's `cpu.max`, such as "150000 100000"; None for no limit."""
    quota, _, period = text.strip().partition(" ")
    return int(quota) / int(period) if quota.isdigit() and period.isdigit() and int(period) else None


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def size(count):
    return f"{count / (1 << 30):.1f} GiB" if count >= 1 << 30 else f"{count / (1 << 20):.0f} MiB"
