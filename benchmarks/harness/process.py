"""Runs one command and watches every process of its session from outside.

CPU time is what the kernel charged to the session's processes, those that have ended included. Memory is sampled: resident
bytes (RSS, shared pages counted once for each process) about 20 times a second, and proportional bytes (PSS, shared pages
counted once in all) twice a second, because the kernel walks all page tables for it. With PSS comes what it leaves out: shared
memory that is held open by its descriptor while nobody has it mapped, as a batch is on its way from one process to another.
"""
import dataclasses
import os
import resource
import subprocess
import threading
import time

PAGE = os.sysconf("SC_PAGE_SIZE")
RSS_SECONDS = 0.05
PROCESSES_EVERY = 4     # RSS samples
PSS_EVERY = 10          # RSS samples
SESSION_FIELD = 3   # of /proc/PID/stat, counted behind the name


@dataclasses.dataclass
class Outcome:
    """What one run of a command cost, and the lines it printed, each with its moment."""
    seconds: float
    cpu_seconds: float
    peak_rss_bytes: int
    peak_pss_bytes: int
    peak_memory_bytes: int      # PSS, and shared memory that nobody has mapped at the moment
    peak_processes: int
    sampling_cpu_seconds: float
    lines: list     # of (seconds since the command was started, text)


class Watch(threading.Thread):
    """Samples the memory of a session until it is told to stop."""

    def __init__(self, session):
        super().__init__(daemon=True)
        self.session = session
        self.done = threading.Event()
        self.rss = self.pss = self.memory = self.processes = 0
        self.cpu_seconds = 0.0

    def run(self):
        before = time.thread_time()
        turn = 0
        pids = []
        while not self.done.is_set():
            if turn % PROCESSES_EVERY == 0:
                pids = session_pids(self.session)
                self.processes = max(self.processes, len(pids))
            if turn % PSS_EVERY == 0:
                self.proportional(pids)
            self.rss = max(self.rss, sum(rss_bytes(pid) for pid in pids))
            turn += 1
            self.done.wait(RSS_SECONDS)
        self.cpu_seconds = time.thread_time() - before

    def proportional(self, pids):
        shared_files = open_shared_memory_bytes(pids)
        parts = [pss_bytes(pid) for pid in pids]
        pss, mapped = sum(pss for pss, _ in parts), sum(mapped for _, mapped in parts)
        self.pss = max(self.pss, pss)
        self.memory = max(self.memory, pss + max(0, shared_files - mapped))


def run(command, environment=None):
    """Runs `command` to its end; raises with its output if it fails."""
    cpu_before = children_cpu_seconds()
    started = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, start_new_session=True, env={**os.environ, **(environment or {})})
    watch = Watch(process.pid)
    watch.start()
    with process.stdout as output:
        lines = [(time.monotonic() - started, line.rstrip("\n")) for line in output]
    code = process.wait()
    seconds = time.monotonic() - started
    watch.done.set()
    watch.join()
    if code != 0:
        output = "\n".join(text for _, text in lines[-30:])
        raise RuntimeError(f"{' '.join(map(str, command))} ended with exit code {code}:\n{output}")
    return Outcome(seconds, children_cpu_seconds() - cpu_before, watch.rss, watch.pss, watch.memory,
                   watch.processes, watch.cpu_seconds, lines)


def children_cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def session_pids(session):
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:
                continue    # it has just ended
            if int(fields[SESSION_FIELD]) == session and fields[0] != "Z":
                found.append(int(name))
    return found


def rss_bytes(pid):
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * PAGE
    except OSError:
        return 0


def pss_bytes(pid):
    """The proportional bytes of a process, and how many of them are shared memory."""
    entries = {}
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
            for line in file:
                name, _, value = line.partition(":")
                if name in ("Pss", "Pss_Shmem"):
                    entries[name] = int(value.split()[0]) * 1024
    except OSError:
        pass
    return entries.get("Pss", 0), entries.get("Pss_Shmem", 0)


def open_shared_memory_bytes(pids):
    """What the files in memory take that any of the processes has open, each counted once."""
    files = {}
    for pid in pids:
        try:
            for name in os.listdir(f"/proc/{pid}/fd"):
                path = f"/proc/{pid}/fd/{name}"
                if os.readlink(path).startswith(("/dev/shm/", "/memfd:")):
                    found = os.stat(path)
                    files[found.st_dev, found.st_ino] = found.st_blocks * 512
        except OSError:
            continue    # it has just ended, or closed the file
    return sum(files.values())
